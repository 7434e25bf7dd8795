# The build: a virtual environment in which `scrimp` is installed in place, compiled anew when the engine's sources change.
# Assumes Python 3.11 or later and a C++20 compiler; everything else is fetched into the environment.
PYTHON ?= python3
VENV ?= .venv

engine_sources := $(shell find engine -name '*.h' -o -name '*.cpp')

.PHONY: build engine-test sanitize

build: $(VENV)/.built

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet 'scikit-build-core>=0.10' 'nanobind>=2.4' 'cmake>=3.24' ninja
	touch $@

$(VENV)/.built: $(VENV)/.created pyproject.toml CMakeLists.txt $(engine_sources)
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(VENV)/bin/pip install --quiet --no-build-isolation --editable '.[dev]'
	touch $@

# The engine's own tests, in C++; `sanitize` runs them under the address and undefined-behaviour sanitizers.
engine-test: $(VENV)/.created
	$(call build_and_run_engine_tests,build/engine-test,)

sanitize: $(VENV)/.created
	$(call build_and_run_engine_tests,build/sanitize,-DSCRIMP_SANITIZE=ON)

define build_and_run_engine_tests
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" cmake -S . -B $(1) -G Ninja -DSCRIMP_TESTS=ON -DSCRIMP_BINDINGS=OFF $(2) >/dev/null
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" cmake --build $(1)
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" ctest --test-dir $(1) --output-on-failure
endef
