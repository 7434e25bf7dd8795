"""Symmetric coloured nets, and how they become place/transition nets."""
