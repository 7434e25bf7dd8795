"""The benchmarks: each module describes what is measured and what is made of it, and the laboratory does the rest.

    python -m bench.run                 scrimp beside SPIN, or beside another build of scrimp
    python -m bench.startup             how long scrimp takes to begin
    python -m bench.overhead            what reductions and caches cost
    python -m bench.comback             the store `comback` beside `full`
    python -m bench.corpus              every kind of method on the corpus; results_page makes docs/results.md of it
    python -m bench.advice              how good the advice of `scrimp methods --advise` is
    python -m bench.byte_frequencies    the table of the Huffman code

An environment in which scrimp is installed in place has this package too, so that `python bench/run.py` does the same.
"""
