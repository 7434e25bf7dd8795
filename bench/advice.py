"""How good the advice of `scrimp methods --advise` is, on the corpus: what it predicts against what was measured.

    python -m bench.corpus                      # measures; takes a while
    python -m bench.advice sample               # samples the same models, as the advice does but for a shorter time
    python -m bench.advice report               # writes docs/results/advice.md

Families whose name has an even hash were used to find the constants of the predictions, the others were not.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from bench.corpus import family

import scrimp
from scrimp.laboratory.advice.sample import CANDIDATES, take

# So that most searches are far from their end, as those are for which anybody asks for advice.
SECONDS = 0.03


def is_for_training(model: str) -> bool:
    return sha256(family(model).encode()).digest()[-1] % 2 == 0


def sample_all(models: list[str], output: Path) -> None:
    done = set() if not output.exists() else {json.loads(line)["model"] for line in output.read_text().splitlines()}
    for path in models:
        if path in done:
            continue
        model = scrimp.load(path, ignore_property=True)
        take(model, "bfs/full", 0.001)  # compiled, and the engine loaded
        samples = [take(model, method, SECONDS).to_dict() for method in CANDIDATES]
        with output.open("a") as file:
            file.write(json.dumps({"model": path, "samples": samples}) + "\n")
