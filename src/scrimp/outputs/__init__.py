"""Where results go: the terminal, JSON records, trace files."""
