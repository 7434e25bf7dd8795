"""Checkpoints: searches that can be resumed. docs/checkpoints.md describes them for users."""
