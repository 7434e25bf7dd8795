"""Mistakes in what is said of ends of processes, each as one change of text, with a model that reveals it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType

PASS = "scrimp.passes.ends"
ANONYMITY = "scrimp.frontends.promela.program.anonymity"
SUCCESSION = "scrimp.frontends.promela.planning.succession"
STACKING = "scrimp.frontends.promela.lowering.stacking"
"""The module that imports functions from the last two."""


@dataclass(frozen=True)
class EndsMutant:
    name: str
    module: str
    before: str
    after: str
    text: str

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Let the module have the mistake."""
        module = importlib.import_module(self.module)
        text = Path(str(module.__file__)).read_text()
        assert text.count(self.before) == 1, f"{self.name}: {self.before!r} occurs {text.count(self.before)} times"
        changed = [module, *([] if self.module == PASS else [importlib.import_module(STACKING)])]
        kept = [(each, dict(vars(each))) for each in changed]
        wrong = ModuleType(self.module)
        wrong.__file__ = module.__file__
        exec(compile(text.replace(self.before, self.after), str(module.__file__), "exec"), vars(wrong))
        try:
            for each in changed:
                known = ((name, vars(each).get(name)) for name in vars(wrong))
                functions = [name for name, value in known if isinstance(value, FunctionType)]
                vars(each).update({name: vars(wrong)[name] for name in functions})
            yield
        finally:
            for each, names in kept:
                vars(each).update(names)


LATER = """
byte x, y;
proctype A() { x = 1 }
proctype B() { %s }
init { run A(); x == 1; run B() }
"""

ENDS_MUTANTS = [
    EndsMutant(
        "another process looks at what an end changes",
        PASS,
        "        if not movers >> process & 1\n    ):\n        return False\n",
        "        if not movers >> process & 1\n    ):\n        pass\n",
        "byte x; proctype P() { x = 1 } init { atomic { run P() }; x == 1; assert(_nr_pr == 1) }",
    ),
    EndsMutant(
        "numbers are seen",
        ANONYMITY,
        '            return name not in ("timeout", "_")\n',
        "            return False\n",
        LATER % "y = _pid; assert(y == 1)",
    ),
    EndsMutant(
        "the value of run is seen",
        ANONYMITY,
        "        case Run() | RemoteLabel()",
        "        case RemoteLabel()",
        "byte x, y; proctype A() { x = 1 } init { run A(); x == 1; y = run A(); assert(y == 1) }",
    ),
    EndsMutant(
        "a start may follow an end",
        SUCCESSION,
        "            if not edge.atomic or isinstance",
        "            if isinstance",
        """
        byte x, y; proctype A() { x = 1 } proctype B() { y = _pid; assert(y == 1) }
        init { run A(); do :: x == 1 -> break :: x != 1 od; run B() }
        """,
    ),
    EndsMutant(
        "an atomic sequence of starts may block",
        SUCCESSION,
        "        _cannot_block(automaton.edges[state]) for",
        "        True for",
        """
        byte x, y; proctype A() { x = 1; y = 1 } proctype B() { x = _pid; assert(x == 1) }
        init { atomic { run A(); y == 1; run B() } }
        """,
    ),
    EndsMutant(
        "a channel is used after its process",
        ANONYMITY,
        "            case _ if _is_channel(part):\n                return False\n",
        "            case _ if _is_channel(part):\n                continue\n",
        """
        byte x; chan g = [1] of { chan };
        proctype P() { chan c = [1] of { byte }; c!1; g!c }
        init { chan d; run P(); g?d; d?x }
        """,
    ),
    EndsMutant(
        "another process continues alone",
        PASS,
        "if ended and transition.holder is None else transition",
        "if ended else transition",
        """
        byte x, y; chan c = [0] of { byte };
        proctype A() { c!1 }
        proctype B() { x == 1; assert(y == 1) }
        init { atomic { run A(); run B() }; atomic { c?x; y = 1 } }
        """,
    ),
    EndsMutant(
        "an older process continues alone although it does not wait for its end",
        PASS,
        '*(Unary("!", test) for test in waiting)))\n',
        '*(Unary("!", test) for test in waiting)), holder=max(older, 0))\n',
        """
        byte x, y;
        proctype A() { x = 1 }
        proctype B() { y = 1 }
        init { atomic { run A(); run B() }; y == 1; assert(x == 1) }
        """,
    ),
]
