"""A program to state machines, those that SPIN's verifier has."""
