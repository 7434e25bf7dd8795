"""The intermediate representation: what a model means, whatever language it was written in."""
