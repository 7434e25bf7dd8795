"""The machine: a system as native code over bit-packed states."""
