"""Check every model of a folder with the scrimp that is installed, and compare verdicts with those the models state.

python .ci/try_wheel.py models
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

SUFFIXES = (".dve", ".pml", ".pnml", ".py")
EXIT_CODES = {"proved": 0, "refuted": 1}


def stated_verdict(model: Path) -> str:
    """The verdict in the first line of a model: `// expect: … verdict=proved`."""
    first_line = model.read_text(encoding="utf-8").partition("\n")[0]
    stated = re.search(r"expect: .*verdict=(\w+)", first_line)
    if stated is None:
        raise SystemExit(f"{model}: the first line states no verdict")
    return stated[1]


def failure(model: Path) -> str | None:
    command = [sys.executable, "-m", "scrimp", "check", str(model), "--quiet"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode == EXIT_CODES[stated_verdict(model)]:
        return None
    return (
        f"{model}: exit code {ran.returncode}, but the model states {stated_verdict(model)}\n{ran.stdout}{ran.stderr}"
    )


def page_failure(model: Path) -> str | None:
    """The files of the page must be in the wheel, too."""
    with TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        command = [sys.executable, "-m", "scrimp", "view", str(model), "--save", str(page)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        is_there = page.is_file() and "</html>" in page.read_text(encoding="utf-8")
    return None if is_there else f"{model}: no page was saved\n{ran.stdout}{ran.stderr}"


def main(folder: Path) -> int:
    models = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
    if not models:
        raise SystemExit(f"there are no models in {folder}")
    failures = [text for model in models if (text := failure(model)) is not None]
    page = page_failure(models[0])
    compilers = [name for name in ("cc", "gcc", "g++", "clang") if shutil.which(name)]
    print(*failures, *filter(None, [page]), sep="\n", end="\n" if failures or page else "")
    print(f"{len(models) - len(failures)} of {len(models)} models as stated; compilers on PATH: {compilers or 'none'}")
    return 1 if failures or page else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
