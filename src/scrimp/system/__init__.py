"""The intermediate representation: the meaning of a model, independent of its language."""
