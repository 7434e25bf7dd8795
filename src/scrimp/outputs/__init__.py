"""Outputs of results: the terminal, JSON records, trace files, LTSs."""
