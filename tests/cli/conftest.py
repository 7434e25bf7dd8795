"""Small models as files, and the command line as a function."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from scrimp.cli.application import run

LOCK = """\
byte flag[2];
byte turn = 0;

process P0 {
state idle, ask, wait, critical;
init idle;
trans
idle -> ask { effect flag[0] = 1; },
ask -> wait { effect turn = 1; },
wait -> critical { guard flag[1] == 0 || turn == 0; },
critical -> idle { effect flag[0] = 0; };
}
process P1 {
state idle, ask, wait, critical;
init idle;
trans
idle -> ask { effect flag[1] = 1; },
ask -> wait { effect turn = 0; },
wait -> critical { guard flag[0] == 0 || turn == 1; },
critical -> idle { effect flag[1] = 0; };
}
system async;
"""

FORKS = """\
byte fork[2];
process A {
state think, one, eat;
init think;
trans
think -> one { guard fork[0] == 0; effect fork[0] = 1; },
one -> eat { guard fork[1] == 0; effect fork[1] = 1; },
eat -> think { effect fork[0] = 0, fork[1] = 0; };
}
process B {
state think, one, eat;
init think;
trans
think -> one { guard fork[1] == 0; effect fork[1] = 1; },
one -> eat { guard fork[0] == 0; effect fork[0] = 1; },
eat -> think { effect fork[0] = 0, fork[1] = 0; };
}
system async;
"""

FAULT = """\
byte x = 2;
process P {
state a, b;
init a;
trans
a -> a { guard x > 0; effect x = x - 1; },
a -> b { effect x = 6 / x; };
}
system async;
"""

PROPERTY = LOCK.replace(
    "system async;",
    "process never {\nstate n;\ninit n;\naccept n;\ntrans\nn -> n {};\n}\nsystem async property never;",
)


def counters(number: int) -> str:
    """A model with 256 to the power of `number` states."""
    names = [f"c{i}" for i in range(number)]
    body = "".join(
        f"process P{name} {{ state a; init a; trans a -> a {{ effect {name} = {name} + 1; }}; }}\n" for name in names
    )
    return f"byte {', '.join(names)};\n{body}system async;\n"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command line did."""

    code: int
    out: str
    err: str


Scrimp = Callable[..., Ran]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a few models in it."""
    models = {
        "lock.dve": LOCK,
        "forks.dve": FORKS,
        "fault.dve": FAULT,
        "property.dve": PROPERTY,
        "endless.dve": counters(6),
    }
    for name, text in models.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def scrimp(folder: Path, capfd: pytest.CaptureFixture[str]) -> Scrimp:
    """The command line, in this process."""

    def call(*arguments: str) -> Ran:
        capfd.readouterr()
        code = run(list(arguments))
        out, err = capfd.readouterr()
        return Ran(code, out, err)

    return call


@pytest.fixture
def scrimp_process(folder: Path) -> Scrimp:
    """The command line, in a separate process."""

    def call(*arguments: str, **environment: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "scrimp.cli", *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            env=os.environ | environment,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return call
