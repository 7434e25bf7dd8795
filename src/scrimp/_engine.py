"""The native engine, in the fastest variant that this machine's processor supports. See `_engine.pyi`."""

from __future__ import annotations

from importlib import import_module

from scrimp.variants import variant

_module = import_module(f"scrimp._engine_{variant()}")
globals().update((name, value) for name, value in vars(_module).items() if not name.startswith("_"))
