"""Structural reductions of Petri nets: the rules that the pass `net` applies."""
