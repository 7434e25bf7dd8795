"""The same conditions for every run of the tests, whatever ran before and however it was started."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile

import pytest
from hypothesis import settings

_FOLDER = "SCRIMP_CACHE_DIR"
_made = pytest.StashKey[str]()

settings.register_profile("scrimp", max_examples=int(os.environ.get("SCRIMP_EXAMPLES", "60")))
settings.load_profile("scrimp")


def pytest_configure(config: pytest.Config) -> None:
    """An empty cache, made once by the process that starts the workers; they inherit it."""
    if not hasattr(config, "workerinput"):
        config.stash[_made] = os.environ[_FOLDER] = tempfile.mkdtemp(prefix="scrimp-tests-")
        _hear_interrupts()


def pytest_unconfigure(config: pytest.Config) -> None:
    if folder := config.stash.get(_made, None):
        shutil.rmtree(folder, ignore_errors=True)


def _hear_interrupts() -> None:
    """A script's background job ignores interrupts, and so would its child processes; some tests send one."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
