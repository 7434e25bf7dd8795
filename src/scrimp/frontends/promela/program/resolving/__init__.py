"""Resolves every name: from the parser's nodes to the program."""
