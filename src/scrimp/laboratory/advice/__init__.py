"""Advice on the method for a model: short searches are sampled, and from them whole ones predicted."""
