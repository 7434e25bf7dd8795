"""The benchmark's tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from typing import Protocol

import ltsmin


class Measured(Protocol):
    @property
    def instance(self) -> str: ...
    @property
    def tool(self) -> str: ...
    @property
    def states(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def bytes_per_state(self) -> float: ...
    @property
    def rss_peak(self) -> int: ...
    @property
    def engine_peak(self) -> int: ...


HEADER = (
    f"{'':>16} {'':26} {'M st/s':>8} {'M tr/s':>8} {'× SPIN':>7} {'B/state':>8} {'÷ SPIN':>7} {'held':>6} {'RSS MB':>7}"
)


def instance_lines(instance: str, measurements: Sequence[Measured]) -> str:
    """One line per tool: rates, bytes per state, and what the engine held at its peak over what the states take."""
    mine = [each for each in measurements if each.instance == instance]
    spin = next((each for each in mine if each.tool == "spin"), None)
    return "\n".join([HEADER] + [_line(each, spin) for each in mine])


def summary(measurements: Sequence[Measured]) -> str:
    """Geometric means of the ratios to SPIN, per configuration."""
    spins = {each.instance: each for each in measurements if each.tool == "spin"}
    lines = ["geometric means against SPIN:"]
    for tool in dict.fromkeys(each.tool for each in measurements if each.tool != "spin"):
        compared = [each for each in measurements if each.tool == tool and each.instance in spins]
        if compared:
            speed = geometric_mean(rate(each) / rate(spins[each.instance]) for each in compared)
            bytes_ = geometric_mean(each.bytes_per_state / spins[each.instance].bytes_per_state for each in compared)
            lines.append(f"  {tool:26} {speed:6.2f} × transitions/s   {bytes_:6.3f} × bytes per state")
    return "\n".join(lines + _against_ltsmin(measurements, spins))


def _against_ltsmin(measurements: Sequence[Measured], spins: Mapping[str, Measured]) -> list[str]:
    """The same against LTSmin's tables of the same kind; speeds by way of SPIN."""
    lines = ["geometric means against LTSmin (see ltsmin.py):"]
    for tool in dict.fromkeys(each.tool for each in measurements if "compress=" in each.tool):
        compression = tool.rpartition("=")[2]
        pairs = [
            (each, ltsmin.RUNS[each.instance, compression])
            for each in measurements
            if each.tool == tool and each.instance in spins and (each.instance, compression) in ltsmin.RUNS
        ]
        if pairs:
            speed = geometric_mean(rate(each) / rate(spins[each.instance]) / peer.speed for each, peer in pairs)
            bytes_ = geometric_mean(each.bytes_per_state / peer.bytes_per_state for each, peer in pairs)
            worst = max(each.bytes_per_state / peer.bytes_per_state for each, peer in pairs)
            lines.append(
                f"  {tool:26} {speed:6.2f} × transitions/s   {bytes_:6.3f} × bytes per state (at most {worst:.2f})"
            )
    return lines


def rate(each: Measured) -> float:
    return each.transitions / each.seconds if each.seconds else 0.0


def geometric_mean(values: Iterable[float]) -> float:
    logarithms = [log(value) for value in values if value > 0]
    return exp(sum(logarithms) / len(logarithms)) if logarithms else 0.0


def _line(each: Measured, spin: Measured | None) -> str:
    speed = f"{rate(each) / rate(spin):7.2f}" if spin else " " * 7
    smaller = f"{each.bytes_per_state / spin.bytes_per_state:7.3f}" if spin else " " * 7
    held = f"{each.engine_peak / (each.states * each.bytes_per_state):6.2f}" if each.engine_peak else " " * 6
    return (
        f"{each.instance:>16} {each.tool:26} {each.states / each.seconds / 1e6:8.2f} {rate(each) / 1e6:8.2f} {speed} "
        f"{each.bytes_per_state:8.2f} {smaller} {held} {each.rss_peak / 2**20:7.0f}"
    )
