"""Promela, the language of SPIN, read as SPIN 6.5 reads it. docs/promela.md says what differs."""
