"""Symmetric coloured nets, and their unfolding into place/transition nets."""
