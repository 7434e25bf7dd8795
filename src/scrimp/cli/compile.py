"""`scrimp compile`: fill the cache, so that a later search needs no compiler."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from scrimp.cli.options import FILE, ModelOptions, Once, language_option, model_options
from scrimp.errors import OptionError

if TYPE_CHECKING:
    from scrimp.frontends import Language


@click.command("compile", cls=Once, short_help="Compile models ahead of their searches.")
@click.argument("models", type=FILE, nargs=-1, required=True, metavar="MODEL...")
@click.option("--backwards", is_flag=True, help="With in-degrees as well, for the store pseudoroot.")
@language_option
@model_options
def command(
    models: tuple[Path, ...],
    backwards: bool,
    language: Language | None,
    defines: tuple[tuple[str, str], ...],
    ignore_property: bool,
) -> int:
    """Compile each MODEL into the cache: a later check or explore of it starts no compiler, which takes some 100 MiB
    for a moment. The cache can be copied to another machine; see docs/cli.md."""
    from scrimp.checking import compile_model
    from scrimp.disk_cache import cache_folder
    from scrimp.numbers import amount
    from scrimp.outputs.screen import say

    folder = cache_folder()
    if folder is None:
        raise OptionError("compile: there is no cache to fill; unset SCRIMP_CACHE=off or set SCRIMP_CACHE_DIR")
    for path in models:
        model = ModelOptions(model=path, language=language, defines=defines, ignore_property=ignore_property).load()
        codes = compile_model(model) + (compile_model(model, in_degree=True) if backwards else [])
        most = max(code.compiler_rss_peak for code in codes)
        how = f"compiled, in at most {amount(most)}" if most else "was in the cache"
        say([f"{path}: {how}; {amount(max(len(code.code) for code in codes))} of machine code"])
    say([f"cache: {folder}"])
    return 0
