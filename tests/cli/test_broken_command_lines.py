"""Broken command lines: each is refused with exit code 2 and one line that says what was found and expected; a caret
below the text of a formula or expression shows where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp

CARET = r"    \S.*\n    +\^\n"
BROKEN = [
    ("chek lock.dve", r"unknown command 'chek'; did you mean 'check'\? \(choices: new, check, explore, .*\)"),
    ("--colour", r"unknown option '--colour'; --help lists the options"),
    ("check", r"missing argument 'MODEL'"),
    ("check lock.dve forks.dve", r"got unexpected extra argument \(forks.dve\)"),
    ("check lock.dve --invariant=PP1.idle", r".*:1:1: found 'PP1' \(did you mean 'P1'\?\), expected .* a process"),
    ("check lock.dve --store=full --store=comback", r"--store is given twice"),
    ("export lock.dve -o a.aut --output b.aut", r"--output is given twice"),
    ("check missing.dve", r"missing.dve: cannot be read: No such file or directory"),
    ("check .", r"\.: cannot be read: Is a directory"),
    ("check folder.dve", r"folder.dve: cannot be read: Is a directory"),
    ("check lock.doc", r"lock.doc: unknown language '.doc' \(choices: \.aut, \.dve, .*\)"),
    ("check lock.pmll", r"lock.pmll: unknown language '.pmll'; did you mean '.pml'\? \(choices: .*\)"),
    ("check lock.dve --empty-channels", r"--empty-channels: DVE has no valid end states; .* is a deadlock"),
    ("check lock.dve --empty-channels --allow-deadlock", r"--empty-channels has no effect with --allow-deadlock: .*"),
    ("check lock.dve --ordr=dfs", r"unknown option '--ordr'; did you mean '--order'\?"),
    ("check lock.dve --order", r"option '--order' requires an argument"),
    ("check lock.dve --order=bsf", r"--order: unknown order 'bsf'; did you mean 'bfs'\? \(choices: bfs, dfs\)"),
    ("check lock.dve --order=dfs:deep=1", r"--order: order 'dfs' has no options, found 'deep'"),
    (
        "check lock.dve --store=cash",
        r"--store: unknown store 'cash'; did you mean 'cache'\? \(choices: full, auto, cache, snapshots, comback, "
        r"pseudoroot, compact, bitstate\)",
    ),
    (
        "check lock.dve --store=bitstate --reduce=sleep --order=dfs",
        "store 'bitstate' has no room for the sleep sets of reduction 'sleep'; use --store full",
    ),
    (
        "check lock.dve --store=comback --reduce=local --order=dfs",
        "store 'comback' takes no reduction: it rebuilds a state by its place among all successors .*",
    ),
    (
        "check lock.dve --store=pseudoroot:source=given",
        "store 'pseudoroot:source=given': source=given needs an .aut model; use source=counted",
    ),
    (
        "check lock.dve --store=pseudoroot --reduce=sleep --order=dfs",
        "store 'pseudoroot' takes no reduction: it counts the edges into a state, .*",
    ),
    ("check lock.dve --store=comback:strategy=X", "--store: store 'comback': option 'strategy': expected R, F, H, .*"),
    (
        "check lock.dve --store=full:compress=zip",
        r"--store: store 'full': option 'compress' takes none, tree, cleary, huffman or rle, found 'zip'",
    ),
    ("check lock.dve --store=full:size=3", r"--store: store 'full': unknown option 'size' \(choices: compress\)"),
    (
        "check lock.dve --store=cache:states=none,bytes=lots",
        r"--store: store 'cache': option 'bytes' takes an amount of memory such as 64M or none, found 'lots'",
    ),
    ("check lock.dve --store=cache:states=9,bytes=1M", r"--store: store 'cache': takes 'states' or 'bytes', not both"),
    (
        "check lock.dve --store=cache:policy=mfu:25+lru:70",
        r"--store: store 'cache': option 'policy': the shares of 'mfu:25\+lru:70' sum to 95, not to 100",
    ),
    (
        "check lock.dve --store=cache:compress=tree",
        r"--store: store 'cache': option 'compress' takes none, huffman or rle: 'tree' shares parts among states, .*",
    ),
    (
        "check lock.dve --order=bfs --store=cache:states=9",
        r"store 'cache' needs --order dfs: a breadth-first search may never finish when states are evicted",
    ),
    ("check lock.dve --order=dfs --store=snapshots", r"store 'snapshots' needs --order bfs: it keeps levels of .*"),
    (
        "check lock.dve --store=snapshots --reduce=sleep",
        r"store 'snapshots' takes no reduction: it compares states with those of the last levels only, and .*",
    ),
    (
        "check lock.dve --reduce=slep",
        r"--reduce: unknown reduction 'slep'; did you mean 'sleep'\? \(choices: none, local, .*, conflict\)",
    ),
    (
        "check lock.dve --reduce=sleep:mode=print",
        r"--reduce: reduction 'sleep': option 'mode' takes exact or paper, found 'print'",
    ),
    (
        "check lock.dve --reduce=stubborn:mode=paper",
        r"--reduce: reduction 'stubborn': unknown option 'mode' \(choices: proviso\)",
    ),
    ("check lock.dve --order=bfs --reduce=sleep", r"reduction 'sleep' needs --order dfs"),
    (
        "check lock.dve --order=dfs --reduce=sleep+conflict",
        r"reduction 'sleep\+conflict' has two parts with sleep sets; leave one of them out",
    ),
    (
        "check lock.dve --order=dfs --reduce=none+sleep",
        r"reduction 'none\+sleep' has a part that reduces nothing; leave it out",
    ),
    ("check lock.dve --order=dfs --reduce=local+", r"--reduce: unknown reduction '' \(choices: .*\)"),
    (
        "check lock.dve --order=dfs --store=full:compress=cleary --reduce=sleep",
        r"store 'full:compress=cleary' has no room for the sleep sets of reduction 'sleep'; use --store full",
    ),
    (
        "check lock.dve --order=dfs --reduce=stubborn:proviso=false",
        r"reduction 'stubborn:proviso=false' cannot be used here: without its proviso .*; leave out proviso=false",
    ),
    (
        "check lock.dve --as-written --audit",
        r"--audit has nothing to check; it needs a reduction, or a store that may .*",
    ),
    ("check lock.dve --memory=lots", r"--memory: expected an amount of memory such as 64M or 2G, found 'lots'"),
    ("check lock.dve --memory=0", r"memory: the limit must be positive and finite, found 0"),
    (
        "check lock.dve --memory=1K",
        r"--memory: a limit of 1,024 bytes is too small for this model and method, which need \d+M",
    ),
    ("check lock.dve --memory=99999999T", r"memory: the limit must be a whole number up to 9223372036854775807, .*"),
    ("check lock.dve --memory=1M", r"--memory: a limit of 1M is too small for this model and method, which need \d+M"),
    ("check lock.dve --time=soon", r"--time: expected a time such as 30s, 10m or 1h30m, found 'soon'"),
    ("check lock.dve --time=0s", r"time: the limit must be positive and finite, found 0.0"),
    ("check lock.dve --depth=0", r"--depth: expected a whole number of at least 1, found '0'"),
    (
        "check lock.dve --depth=9223372036854775808",
        r"--depth: expected a whole number from 1 to 9223372036854775807, .*",
    ),
    ("check lock.dve --threads=0", r"--threads: expected a whole number from 1 to 1024, found '0'"),
    ("check lock.dve --threads=-1", r"--threads: expected a whole number from 1 to 1024, found '-1'"),
    ("check lock.dve --threads=x", r"--threads: expected a whole number from 1 to 1024, found 'x'"),
    ("check lock.dve --threads=1e3", r"--threads: expected a whole number from 1 to 1024, found '1e3'"),
    ("check lock.dve --threads=2.5", r"--threads: expected a whole number from 1 to 1024, found '2.5'"),
    ("check lock.dve --threads=1025", r"--threads: expected a whole number from 1 to 1024, found '1025'"),
    (
        "check lock.dve --threads=9223372036854775808",
        r"--threads: expected a whole number from 1 to 1024, found '9223372036854775808'",
    ),
    ("check lock.dve --threads=1 --threads=2", r"--threads is given twice"),
    ("bench lock.dve --threads=0", r"--threads: expected a whole number from 1 to 1024, found '0'"),
    ("check lock.dve --depth=deep", r"--depth: expected a whole number of at least 1, found 'deep'"),
    ("check lock.dve --violations=0", r"--violations: expected a whole number of at least 1 or 'all', found '0'"),
    ("methods --memory=0", r"--memory needs --advise"),
    ("methods --threads=2", r"--threads needs --advise"),
    ("methods --advise lock.dve --sample=0", r"--sample: expected a time such as 5s, found 0"),
    ("check lock.dve --violations=some", r"--violations: expected a whole number of at least 1 or 'all', found 'some'"),
    ("check lock.dve --seed=7", r"--seed needs --shuffle"),
    ("check lock.dve --shuffle --seed=-7", r"--seed: expected a whole number of at least 0, found '-7'"),
    ("check lock.dve -D 1", r"-D: expected NAME=VALUE, found '1'"),
    ("check lock.dve -D 1=N", r"-D: expected NAME=VALUE, found '1=N'"),
    ("check lock.dve -D N=1 -D N=2", r"-D: N is defined twice"),
    ("check lock.dve --json=missing/x.json", r"cannot write missing/x.json: there is no directory missing"),
    ("check lock.dve --json=folder.dve", r"cannot write folder.dve: it is a directory"),
    ("check lock.dve --json=x.json --trace=./x.json", r"--json and --trace both name x.json"),
    ("check lock.dve --trace=-", r"--trace: expected a file, found '-'; --json - prints the trace as well"),
    ("check lock.dve --invariant=turn==", r"--invariant 'turn==':1:7: .*"),
    ("check lock.dve --invariant=trun==0", r"--invariant 'trun==0':1:1: .*trun.*"),
    ("check lock.dve --reach=", r"--reach '':1:1: .*"),
    ("check lock.dve --ltl=[]", r"--ltl '\[\]':1:3: found the end of the formula, expected .*"),
    ("check lock.dve --ltl=<>turn==1", r"--ltl '<>turn==1':1:3: found 'turn', expected '\('.*"),
    ("check lock.dve --ltl=[]trun", r"--ltl '\[\]trun':1:3: .*trun.*"),
    ("check lock.dve --ltl=GF(turn==1)", r".*:1:3: found '\(', .*; operators are separate words: G F"),
    ("check lock.dve --ltl=[]P0->now", r".*'P0' is a process, .*; '->' is an implication here, and \{P0->now\} .*"),
    ("check lock.dve --ltl=turn=>turn", r".*:1:5: found '=>', expected '->'"),
    ("explore lock.dve --reduce=auto --order=dfs --threads=2", r"--threads 2: a search with order 'dfs' has one .*"),
    ("check lock.dve --fair=rather", r"--fair: unknown fairness 'rather' \(choices: weak, strong\)"),
    ("check lock.dve --fair=weak", r"--fair has no effect: it is about infinite runs, and none are asked for; .*"),
    ("check lock.dve --progress", r"--progress is about progress labels, and a model in dve has none"),
    ("check lock.dve --acceptance", r"--acceptance is about accept labels, and lock.dve has none"),
    ("check lock.dve --automaton=none.hoa", r"--automaton none.hoa: cannot be read: No such file or directory"),
    (
        "check lock.dve --ltl=<>P0.critical --order=bfs --fair=strong",
        r"infinite runs need --order dfs under strong fairness: it is decided component by component",
    ),
    (
        "check lock.dve --ltl=<>P0.critical --order=bfs --store=full:compress=tree",
        r"infinite runs need --order dfs with store 'full:compress=tree': breadth-first, .*",
    ),
    (
        "check lock.dve --ltl=<>P0.critical --order=bfs --reduce=stubborn",
        r"infinite runs need --order dfs with reduction 'stubborn': breadth-first, .*",
    ),
    (
        "check lock.dve --ltl=<>P0.critical --store=cache",
        r"infinite runs need --store full: 'cache' does not keep every state, .*",
    ),
    (
        "check lock.dve --ltl=<>P0.critical --store=compact",
        r"infinite runs need --store full: 'compact' may miss states, .*",
    ),
    (
        "check lock.dve --ltl=<>P0.critical --reduce=sleep",
        r"infinite runs need --reduce local or stubborn: 'sleep' is not known .*",
    ),
    (
        "check lock.dve --ltl=<>P0.critical --threads=2 --fair=strong",
        r"--threads 2: a search for infinite runs has one thread if it is depth-first, and strong fairness, .*",
    ),
    ("explore lock.dve --invariant=turn==0", r"unknown option '--invariant'; --help lists the options"),
    ("explore lock.dve --trace=x.json", r"unknown option '--trace'; --help lists the options"),
    ("simulate lock.dve --interactive --steps=3", r"--steps counts random steps and has no effect with --interactive"),
    ("simulate lock.dve --interactive --seed=3", r"--seed is for random steps and has no effect with --interactive"),
    ("simulate lock.dve --guide=missing.json", r"cannot read missing.json: No such file or directory"),
    ("simulate lock.dve --guide=lock.dve", r"lock.dve:1:1: not a trace file: Expecting value"),
    ("replay lock.dve", r"missing argument 'FILE'"),
    ("replay lock.dve missing.json", r"cannot read missing.json: No such file or directory"),
    ("info", r"missing argument 'MODEL'"),
    ("methods all", r"got unexpected extra argument \(all\)"),
]


@pytest.mark.parametrize(("line", "message"), BROKEN, ids=[line for line, _ in BROKEN])
def test_a_broken_command_line_is_refused_in_one_line(scrimp: Scrimp, folder: Path, line: str, message: str) -> None:
    (folder / "folder.dve").mkdir()
    (folder / "lock.doc").touch()
    (folder / "lock.pmll").touch()
    before = sorted(folder.iterdir())
    ran = scrimp(*line.split(" "))
    assert ran.code == 2
    assert ran.out == ""
    assert re.fullmatch(f"scrimp: error: {message}\n({CARET})?", ran.err), ran.err
    assert sorted(folder.iterdir()) == before


IN_FORMULAS = [
    ("<> (x == 1) &&\n  [] (x ->\n y)", ":5:2: unknown name 'y', expected a variable", "[] (x -> y)", "y"),
    ("[] (x == 1\n U )", ":4:4: found ')', expected an expression", "[] (x == 1 U )", ")"),
    ("[] (one ->\n)", ":4:1: found ')', expected an expression", "[] ((x == 1) -> )", " )"),
    ("<> one\n && [] bad", ":4:8: unknown name 'z', expected a variable", "[] (x == z)", "z"),
]


@pytest.mark.parametrize(
    ("formula", "message", "line", "place"), IN_FORMULAS, ids=[line for _, _, line, _ in IN_FORMULAS]
)
def test_an_error_in_a_formula_of_a_model_has_its_position_in_the_file(
    scrimp: Scrimp, tmp_path: Path, formula: str, message: str, line: str, place: str
) -> None:
    """Positions in macros are those of their use; the caret stands in the formula as it is after expansion."""
    model = tmp_path / "model.pml"
    macros = "#define one (x == 1)\n#define bad (x == z)\n"
    model.write_text(f"{macros}byte x; ltl {{ {formula} }} active proctype P() {{ x = 1 }}")
    ran = scrimp("check", str(model))
    assert ran.code == 2
    said, shown, caret, _ = ran.err.split("\n")
    assert said.startswith(f"scrimp: error: {model}{message}")
    assert shown.endswith(line)
    assert shown[: caret.index("^") + 1].endswith(place)
