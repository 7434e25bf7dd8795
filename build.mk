# The build: a virtual environment in which scrimp is installed in place. It is compiled again when the engine changes.
# Assumes Python 3.11 or later and a C++20 compiler; everything else is fetched into the environment.
PYTHON ?= python3
VENV ?= .venv
IN := $(VENV)/bin
ON_PATH = PATH="$(CURDIR)/$(IN):$$PATH"

engine_sources := $(shell find engine -name '*.h' -o -name '*.cpp')

.PHONY: build dev engine-test sanitize sanitize-memory sanitize-threads

# What it takes to run scrimp; `dev` adds what it takes to test it.
build: $(VENV)/.built
dev: $(VENV)/.with-dev

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(IN)/pip install --quiet 'scikit-build-core>=0.10' 'nanobind>=2.10' 'cmake>=3.24' ninja
	touch $@

$(VENV)/.built: $(VENV)/.created pyproject.toml CMakeLists.txt $(engine_sources)
	$(ON_PATH) $(IN)/pip install --quiet --no-build-isolation --editable .
	touch $@

# The optional dependencies of pyproject.toml, by the name of their group. scrimp itself is installed already: pip adds
# what the group asks for and builds nothing.
$(VENV)/.with-%: pyproject.toml | $(VENV)/.built
	$(IN)/pip install --quiet 'scrimp[$*]'
	touch $@

# The engine's own tests, in C++, in the folder in which the module was built: the engine is compiled once for both.
engine-test: build
	$(call build_and_run_engine_tests,build/editable,)

# The same under sanitizers, then the Python tests that depend on the engine, with a sanitized module in an environment of
# its own that borrows everything else from the usual one.
sanitize: sanitize-memory sanitize-threads

# Addresses and undefined behaviour.
sanitize-memory: dev
	$(call sanitized_tests,memory,libasan.so libubsan.so,ASAN_OPTIONS=detect_leaks=0,tests/engine tests/product)

# Data races. Native code of models is not instrumented, but it writes only to memory of the thread that calls it.
sanitize-threads: dev
	$(call sanitized_tests,threads,libtsan.so,TSAN_OPTIONS=halt_on_error=1,tests/engine tests/product/test_threads.py)

runtime = $(shell $${CXX:-g++} -print-file-name=$(1))

define sanitized_tests
	$(call build_and_run_engine_tests,build/sanitize-$(1),-DSCRIMP_BINDINGS=OFF -DSCRIMP_SANITIZE=$(1))
	$(IN)/python -m venv --without-pip build/sanitize-$(1)-venv
	ls -d $(CURDIR)/$(VENV)/lib/python3*/site-packages \
	  > $$(ls -d build/sanitize-$(1)-venv/lib/python3*/site-packages)/borrowed.pth
	$(ON_PATH) build/sanitize-$(1)-venv/bin/python -m pip install --quiet --no-deps --no-build-isolation \
	  --force-reinstall -C cmake.define.SCRIMP_SANITIZE=$(1) -C build-dir=build/sanitize-$(1)-module \
	  -C install.strip=false .
	LD_PRELOAD="$(foreach library,$(2),$(call runtime,$(library)))" $(3) \
	  build/sanitize-$(1)-venv/bin/python -m pytest -n 2 -p no:cacheprovider $(4)
endef

define build_and_run_engine_tests
	$(ON_PATH) cmake -S . -B $(1) -G Ninja -DSCRIMP_TESTS=ON $(2) >/dev/null
	$(ON_PATH) cmake --build $(1)
	$(ON_PATH) ctest -j2 --test-dir $(1) --output-on-failure
endef
