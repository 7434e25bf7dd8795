"""The tables and figures of the papers: each is an `Experiment` (experiment.py), and `registry.py` lists them all."""
