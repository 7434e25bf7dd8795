"""Models in Python: CPython, with the scheduler of `scrimp.modelling`, and the compiled system agree."""
