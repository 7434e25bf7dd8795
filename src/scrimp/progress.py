"""What a running search reports, as people see it: its levels, its memory, its changes, and what is expected of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrimp import runner
from scrimp.forecast import Forecast, Forecaster, Standing
from scrimp.statistics import Progress, bytes_by_part
from scrimp.strategies import Method


class Live:
    """Follows one search."""

    def __init__(self, method: Method) -> None:
        self._method = method
        self._forecaster = Forecaster()

    def progress(self, now: runner.Progress, seconds: float) -> Progress:
        report = now.report
        return Progress(
            now.states,
            now.transitions,
            now.matched,
            now.depth,
            now.frontier,
            now.bytes,
            seconds,
            levels=tuple(zip(report.get("levels.states", ()), report.get("levels.transitions", ()), strict=True)),
            level_width=report.get("levels.width", 1),
            bytes_by_part=bytes_by_part(report),
            disk_bytes=report.get("disk.bytes", 0),
            changes=self._method.store.changes_made(report),
            forecast=self._forecast(report, seconds) if report else None,
        )

    def _forecast(self, report: Mapping[str, Any], seconds: float) -> Forecast | None:
        """Only if every state is visited once, in levels."""
        if not self._method.order.has_levels or self._method.store.may_forget or "levels.current" not in report:
            return None
        standing = Standing(
            seconds=seconds,
            states=report["states"],
            waiting=report["frontier"],
            expanded=report["levels.states"],
            width=report["levels.width"],
            depth=report["depth"],
            current=report["levels.current"],
        )
        return self._forecaster.look(standing, self._method.store.room(report))
