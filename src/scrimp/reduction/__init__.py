"""What reductions know of a system: which events depend on one another, and who can do what from where."""
