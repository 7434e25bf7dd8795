"""From a program to state machines, the same as SPIN's verifier has."""
