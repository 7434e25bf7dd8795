"""The text form of a system, for files named `*.scrimp`: what `print_system` writes, `parse_system` reads.

The two are inverse: parsing what was printed gives an equal system. `docs/system.md` explains the language.
"""

from __future__ import annotations

from scrimp.system.expressions import Expression
from scrimp.system.system import System
from scrimp.system.text.printer import print_expression, print_system

__all__ = ["parse_expression", "parse_system", "print_expression", "print_system"]


def parse_system(text: str, file: str = "<text>") -> System:
    """The system that `text` describes; raises ModelError, with a position in `file`, if it does not describe one."""
    from scrimp.system.text import parser  # imports a parser generator, which is slow and seldom needed

    return parser.parse_system(text, file)


def parse_expression(system: System, text: str, file: str = "<expression>") -> Expression:
    """An expression over the parts of `system`; raises ModelError."""
    from scrimp.system.text import parser

    return parser.parse_expression(system, text, file)
