"""The benchmarks: each module says what to measure and how to present it; the laboratory does the rest.

    python -m bench.run                 scrimp compared with SPIN, or with another build of scrimp
    python -m bench.startup             how long scrimp takes to start
    python -m bench.overhead            the cost of reductions and caches
    python -m bench.comback             the store `comback` compared with `full`
    python -m bench.corpus              every kind of method on the corpus; bench.results_page writes docs/results.md
    python -m bench.advice              how good the advice of `scrimp methods --advise` is
    python -m bench.byte_frequencies    the table of the Huffman code

If scrimp is installed in place, so is this package: `python bench/run.py` does the same. Records go to results/bench/,
which git ignores; results/ has those that the documentation is based on.
"""
