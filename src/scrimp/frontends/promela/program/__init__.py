"""Tokens to a program."""
