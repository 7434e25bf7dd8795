"""Examinations of the Model Checking Contest: many questions about a net, each with its own answer."""
