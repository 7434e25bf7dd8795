"""Advice on the method for a model: complete searches are predicted from short samples."""
