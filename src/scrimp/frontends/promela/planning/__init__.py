"""What there is room for: the processes, channels and variables that a model will have."""
