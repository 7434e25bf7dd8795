"""The report of `scrimp bench` on the page."""

from __future__ import annotations

import json
from pathlib import Path

from scrimp.errors import OptionError, ScrimpError
from scrimp.outputs.page_comparison import comparison_record
from scrimp.outputs.page_states import Json
from scrimp.viewing.jobs import Jobs

FIELDS = ("model", "method", "status", "verdict", "states", "states_exact", "visits", "transitions", "seconds")


class Comparison:
    """A session that shows a report and nothing else."""

    def __init__(self, file: Path) -> None:
        self.jobs = Jobs()
        self.name = file.parent.name or file.name
        self._report = read_report(file)

    def answer(self, verb: str, arguments: Json) -> Json:
        if verb != "open" or arguments:
            raise OptionError(f"unknown message '{verb:.20}'")
        return self.open()

    def open(self) -> Json:
        return {"name": self.name, "comparison": self._report}


def read_report(file: Path) -> Json:
    """The settings and the runs of a report."""
    try:
        report = json.loads(file.read_text(encoding="utf-8"))
        cells = [{name: cell[name] for name in (*FIELDS, "rss_peak", "message")} for cell in report["cells"]]
        settings = dict(report["settings"])
    except OSError as error:
        raise ScrimpError(f"cannot read {file}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ScrimpError(f"{file}: not a report of scrimp bench: {error}") from error
    return comparison_record(cells, settings)
