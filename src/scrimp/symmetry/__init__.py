"""Symmetry: processes that can be exchanged. Swaps of them are found, proved, and undone in traces."""
