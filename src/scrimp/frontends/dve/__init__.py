"""DVE, the language of DiVinE and of the BEEM models. docs/dve.md describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scrimp.errors import OptionError, suggestion
from scrimp.frontends.dve.expressions import ExpressionLowering
from scrimp.frontends.dve.lower import lower
from scrimp.frontends.dve.names import NamedConstant, Names
from scrimp.frontends.dve.parse import parse_expression, parse_model
from scrimp.frontends.dve.source import Source
from scrimp.frontends.model import Claim, Model
from scrimp.left_out import IGNORED, LeftOut
from scrimp.system.expressions import Expression
from scrimp.system.types import INT
from scrimp.system.violations import ViolationKind


@dataclass(frozen=True)
class DveScope:
    """Expressions outside all processes: global names, `Process->variable` and `Process.state`."""

    names: Names

    def expression(self, text: str) -> Expression:
        source = Source("<expression>", text)
        return ExpressionLowering(source, self.names).lower(parse_expression(source))


def read_model(
    path: str, text: str, defines: Mapping[str, str], ignore_property: bool, empty_channels: bool = False
) -> Model:
    """The model of a text; raises ModelError, or OptionError for `defines` that override no constant and for
    `empty_channels`."""
    if empty_channels:
        raise OptionError("--empty-channels: DVE has no valid end states; every state without events is a deadlock")
    source = Source(path, text)
    overrides = {name: _override(name, value) for name, value in defines.items()}
    tree = parse_model(source)
    lowered = lower(source, tree, overrides)
    for name in sorted(overrides.keys() - lowered.overridden):
        constants = [known for known, meaning in lowered.names.everywhere.items() if isinstance(meaning, NamedConstant)]
        raise OptionError(f"-D {name}: the model has no constant of this name{suggestion(name, constants)}")
    left_out: tuple[LeftOut, ...] = ()
    claims: tuple[Claim, ...] = ()
    unchecked = None
    if (named := tree.property_process) is not None:
        text = f"property process '{named.name}'"
        if ignore_property:
            left_out = (LeftOut("property", named.name, text, IGNORED),)
        elif isinstance(lowered.claim, str):
            unchecked = f"{text} {lowered.claim}"
            left_out = (LeftOut("property", named.name, text, f"it {lowered.claim}"),)
        elif lowered.claim is not None:
            claims = (Claim(ViolationKind.NEVER, named.name, text, *lowered.claim),)
    return Model(path, "dve", lowered.system, unchecked, DveScope(lowered.names), left_out=left_out, claims=claims)


def _override(name: str, value: str) -> int:
    try:
        number = int({"true": "1", "false": "0"}.get(value, value))
    except ValueError:
        number = None
    if number is None or not INT.contains(number):
        raise OptionError(f"-D {name}={value}: expected a whole number from {INT.low} to {INT.high}")
    return number
