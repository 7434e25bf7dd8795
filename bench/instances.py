"""The systems of the benchmark: BEEM models that exist in DVE and in Promela with the same reachable states.

Some Promela versions need two steps more to start their processes: `extra` states and transitions before the first one
that the DVE version has.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(os.environ.get("SCRIMP_CORPUS", Path(__file__).resolve().parents[2] / "shared" / "corpus"))


@dataclass(frozen=True, slots=True)
class Instance:
    name: str
    states: int
    extra: int = 0

    @property
    def dve(self) -> Path:
        return CORPUS / "dve" / self.name.rpartition(".")[0] / f"{self.name}.dve"

    @property
    def promela(self) -> Path:
        return CORPUS / "promela" / "beem_pm" / f"{self.name}.pm"


# Both languages: compared with SPIN.
PAIRS = (
    Instance("adding.4", 3_370_680),
    Instance("at.3", 1_711_620, extra=2),
    Instance("bakery.4", 157_003),
    Instance("fischer.3", 2_896_705, extra=2),
    Instance("lamport.6", 8_717_688),
    Instance("peterson.4", 1_119_560),
    Instance("phils.5", 531_440),
    Instance("szymanski.4", 2_313_863),
)

# DVE only: how far we get on the larger ones.
LARGE = (
    Instance("brp.4", 12_068_447),
    Instance("cambridge.7", 11_465_015),
    Instance("firewire_link.5", 18_553_032),
    Instance("synapse.7", 10_198_141),
    Instance("anderson.6", 18_206_917),
)
