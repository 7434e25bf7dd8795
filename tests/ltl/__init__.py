"""Tests of formulas and automata."""
