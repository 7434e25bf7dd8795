"""Every model of the corpus within a small memory limit: counts, memory measured from outside, time, bytes written.

    python -m bench.budget [--memory 64M] [--least-states N] [--most-states N] [--seconds N] [--alone]     # resumes
    python -m bench.budget --only NAME --again         # instead of what was measured before
    python -m bench.budget --kept COMMIT,COMMIT        # the same, but for what was measured at these commits
    python -m bench.budget --page                      # writes docs/results/budget.md from results/budget.ndjson

Models are explored as they come, `scrimp explore MODEL --memory 64M`, smallest first, and compared with the counts of
other tools. Those of at least `COMPARED` states are also searched with `--store full` and plenty of memory, by as many
threads. The process that searches is watched while it runs: its greatest resident size and its processor time are
those that the system reports.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Any

from bench.instances import CORPUS, require_corpus
from scrimp.laboratory.tables import markdown, wrapped
from scrimp.limits import parse_bytes
from scrimp.numbers import amount

RECORD = Path("results/budget.ndjson")
PAGE = Path("docs/results/budget.md")

THREADS = 2
FORMS = ("plain", "compressed", "on disk")
COMPARED = 1_000_000  # below this number of states, times say little
PLENTY = "6G"
LOOK_SECONDS = 0.01
TICKS = os.sysconf("SC_CLK_TCK")

INTRODUCTION = f"""Models of the corpus whose numbers of states are known from other tools, explored as they come:
`scrimp explore MODEL --memory 64M --threads {THREADS}`, and so on. *Resident* is the greatest resident size of the
process that searches, measured from outside. Times are seconds of processor time of that process, of all threads, on a
busy machine; *ratio* is relative to `--store full` with {PLENTY}, which has a dash if that was not enough. Made by
`python -m bench.budget`; the record is `results/budget.ndjson`.
"""


@dataclass(frozen=True, slots=True)
class Counted:
    """A model, and what another tool counted; the number of transitions is not always known."""

    path: Path
    states: int
    transitions: int | None
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return " ".join([str(self.path.relative_to(CORPUS)), *(each for each in self.options if "=" in each)])


def models() -> Iterator[Counted]:
    for folder, pattern in (("dve", "dve/{0}/{1}.dve"), ("pnml", "pnml/{1}.pnml")):
        with (CORPUS / folder / "counts.csv").open() as table:
            for row in csv.DictReader(table):
                path = CORPUS / pattern.format(row["instance"].rpartition(".")[0], row["instance"])
                if row["states"].isdigit() and path.is_file():
                    # Contest nets count arcs of the graph of markings, of which two may have the same ends.
                    transitions = row["transitions"] if folder == "dve" else ""
                    yield Counted(path, int(row["states"]), int(transitions) if transitions.isdigit() else None)
    with (CORPUS / "promela" / "spin_counts.csv").open() as table:
        for row in csv.DictReader(table):
            if (row["mode"], row["result"]) == ("plain", "ok"):
                defines = [
                    part for each in shlex.split(row["defines"]) for part in ("-D", _define(each.removeprefix("-D")))
                ]
                path = CORPUS / "promela" / row["file"]
                options = ("--language", "promela", *defines)
                yield Counted(path, int(row["states_stored"]), int(row["edges"]), options)


def _define(text: str) -> str:
    return text if "=" in text else f"{text}=1"


@dataclass(frozen=True, slots=True)
class Watched:
    """The record of a search, empty if there is none, and what was seen of its process."""

    record: dict[str, Any]
    complaint: str
    resident: int
    processor: float
    wall: float


def explore(model: Counted, *options: str, seconds: float) -> Watched:
    """A search in a process that another one starts: the last look at it is at most a moment before its end. If a value
    does not fit, another process goes on, or starts again; the time is that of all of them."""
    command = [sys.executable, "-m", "scrimp", "explore", str(model.path), *model.options, "--ignore-property"]
    command += [*options, "--threads", str(THREADS), "--time", f"{seconds:g}s", "--json", "-", "--quiet"]
    resident, processor, began = 0, dict[int, float](), time.monotonic()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=output, stderr=errors, stdin=subprocess.DEVNULL)
        while process.poll() is None:
            for runner in _runners(process.pid):
                with suppress(OSError, ValueError, IndexError):  # it has just ended
                    resident, processor[runner] = max(resident, _resident(runner)), _processor(runner)
            time.sleep(LOOK_SECONDS)
        output.seek(0)
        errors.seek(0)
        text, complaint = output.read().decode(), errors.read().decode(errors="replace").strip()
    record = json.loads(text) if text.strip() else {}
    complaint = complaint.splitlines()[-1] if complaint else ""
    return Watched(record, complaint, resident, sum(processor.values()), time.monotonic() - began)


def _runners(pid: int) -> Iterator[int]:
    """The children of a process that search."""
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(OSError):
            if "runner" in Path(f"/proc/{child}/comm").read_text():
                yield int(child)


def _resident(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024  # none if it has ended


def _processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def compile_first(model: Counted) -> None:
    command = [sys.executable, "-m", "scrimp", "compile", str(model.path), *model.options, "--ignore-property"]
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def measure(model: Counted, memory: str, seconds: float, alone: bool) -> dict[str, Any]:
    compile_first(model)
    found = explore(model, "--memory", memory, seconds=seconds)
    record = found.record
    row = {
        "model": model.name,
        "memory": memory,
        "commit": commit(),
        "expected": [model.states, model.transitions],
        "found": [record.get("states"), record.get("transitions")],
        "verdict": record.get("verdict", "none"),
        "reason": record.get("reason", found.complaint),
        "resident": found.resident,
        "processor": round(found.processor, 2),
        "wall": round(found.wall, 2),
        "seconds": record.get("seconds"),
        "auto": record.get("auto"),
        "disk": record.get("disk"),
    }
    row["problems"] = list(problems(row))
    if model.states >= COMPARED and not alone:
        full = explore(model, "--store", "full", "--memory", PLENTY, seconds=seconds)
        if full.record.get("ending") == "closed":
            row["full"] = {
                "processor": round(full.processor, 2),
                "resident": full.resident,
                "seconds": full.record["seconds"],
            }
    return row


def commit() -> str:
    """That of the working tree, if it is one."""
    ran = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return ran.stdout.strip() or os.environ.get("SCRIMP_COMMIT", "unknown")


def problems(row: dict[str, Any]) -> Iterator[str]:
    """What is not as promised."""
    if row["verdict"] == "none":
        yield f"refused: {row['reason']}"
    elif row["verdict"] != "proved":
        yield f"{row['verdict']}: {row['reason']}"
    else:
        for name, expected, found in zip(("states", "transitions"), row["expected"], row["found"], strict=True):
            if expected is not None and expected != found:
                yield f"{found:,} {name} instead of {expected:,}"
    if row["resident"] > parse_bytes(row["memory"]):
        yield f"{amount(row['resident'])} resident"


def page(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield "# The corpus within 64 MiB and 32 MiB"
    yield ""
    yield wrapped(INTRODUCTION)
    yield ""
    yield f"Commits: {', '.join(sorted({row['commit'] for row in rows}))}."
    yield ""
    limits = sorted({row["memory"] for row in rows}, reverse=True)
    yield markdown(
        ["limit", "models", "largest", "as promised", "compressed", "on disk", *(f"ratio, {form}" for form in FORMS)],
        [_summary(limit, [row for row in rows if row["memory"] == limit]) for limit in limits],
    )
    for limit in limits:
        chosen = [row for row in rows if row["memory"] == limit]
        yield ""
        yield f"## {limit}"
        faulty = [row for row in chosen if row["problems"]]
        for row in faulty:
            yield ""
            yield wrapped(f"- {row['model']}: {'; '.join(row['problems'])}", indent="  ")
        large = sorted((row for row in chosen if row["expected"][0] >= COMPARED), key=lambda row: row["expected"][0])
        if large:
            yield ""
            yield markdown(
                ["model", "states", "time", "ratio", "store", "written", "resident"], [_line(row) for row in large]
            )


def _summary(limit: str, rows: Sequence[dict[str, Any]]) -> list[str]:
    by_form = {form: [row for row in rows if _form(row) == form] for form in FORMS}
    return [
        limit,
        f"{len(rows):,}",
        f"{max(row['expected'][0] for row in rows):,}",
        f"{sum(not row['problems'] for row in rows):,}",
        f"{len(by_form['compressed']):,}",
        f"{len(by_form['on disk']):,}",
        *(_mean(each) for each in by_form.values()),
    ]


def _form(row: dict[str, Any]) -> str:
    """In which form the states were in the end."""
    auto = row["auto"] or {}
    return "on disk" if auto.get("disk_at") else "compressed" if auto.get("cleary_at") else "plain"


def _mean(rows: Sequence[dict[str, Any]]) -> str:
    ratios = [ratio for row in rows if not row["problems"] and (ratio := _ratio(row)) is not None]
    return f"{exp(sum(map(log, ratios)) / len(ratios)):.2f} ({len(ratios)})" if ratios else "—"


def _ratio(row: dict[str, Any]) -> float | None:
    full = row.get("full", {}).get("processor", 0)
    return row["processor"] / full if full and row["processor"] else None


def _line(row: dict[str, Any]) -> list[str]:
    auto, ratio = row["auto"] or {}, _ratio(row)
    changes = {"disk_at": "disk", "frontier_at": "frontier on disk", "cleary_at": "compressed"}
    return [
        row["model"],
        f"{row['expected'][0]:,}",
        f"{row['processor']:.1f} s",
        f"{ratio:.2f}" if ratio else "—",
        next((name for key, name in changes.items() if auto.get(key)), "plain"),
        amount((row["disk"] or {}).get("bytes_written", 0)),
        amount(row["resident"]),
    ]


def stored() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RECORD.read_text().splitlines()] if RECORD.exists() else []


def keep(row: dict[str, Any]) -> None:
    """Instead of an earlier measurement of the same model."""
    others = [each for each in stored() if (each["model"], each["memory"]) != (row["model"], row["memory"])]
    RECORD.write_text("".join(json.dumps(each) + "\n" for each in [*others, row]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", default="64M")
    parser.add_argument("--least-states", type=int, default=0)
    parser.add_argument("--most-states", type=int, default=40_000_000)
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--only", default="", help="only models whose name contains this")
    parser.add_argument("--alone", action="store_true", help="without a search with --store full beside it")
    parser.add_argument("--again", action="store_true", help="also models that were measured before")
    parser.add_argument("--kept", default="", metavar="COMMITS", help="measure again what was not measured at these")
    parser.add_argument("--page", action="store_true")
    asked = parser.parse_args()
    if asked.page:
        PAGE.write_text("\n".join(page(stored())) + "\n")
        return
    require_corpus()
    kept = asked.kept.split(",")
    valid = [row for row in stored() if not asked.again and (not asked.kept or row["commit"] in kept)]
    done = {(row["model"], row["memory"]) for row in valid}
    for model in sorted(models(), key=lambda each: (each.states, each.name)):
        is_asked = asked.least_states <= model.states <= asked.most_states and asked.only in model.name
        if not is_asked or (model.name, asked.memory) in done:
            continue
        row = measure(model, asked.memory, asked.seconds, asked.alone)
        print(model.name, f"{model.states:,}", f"{row['processor']} s", *row["problems"], flush=True)
        keep(row)


if __name__ == "__main__":
    main()
