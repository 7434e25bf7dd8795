"""The systems of the benchmark: Promela models that both tools read, and BEEM models that exist in DVE and in Promela
with the same reachable states.

Some Promela versions need two more steps to start their processes: they have `extra` states and transitions before the
initial state of the DVE version.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(os.environ.get("SCRIMP_CORPUS", Path(__file__).resolve().parents[2] / "shared" / "corpus"))


def require_corpus() -> None:
    if not CORPUS.is_dir():
        raise SystemExit(f"the benchmark needs the model corpus, which is not at {CORPUS}: set SCRIMP_CORPUS")


@dataclass(frozen=True, slots=True)
class Instance:
    """`name` is that of a BEEM model or, if both tools read Promela, the path of the file within the corpus."""

    name: str
    states: int
    extra: int = 0

    @property
    def is_promela(self) -> bool:
        return "/" in self.name

    @property
    def model(self) -> Path:
        """The file that scrimp reads."""
        if self.is_promela:
            return self.promela
        return CORPUS / "dve" / self.name.rpartition(".")[0] / f"{self.name}.dve"

    @property
    def promela(self) -> Path:
        """The file that SPIN reads."""
        return CORPUS / "promela" / (self.name if self.is_promela else f"beem_pm/{self.name}.pm")


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

# Both tools read Promela: every model of the corpus with more than 100,000 states, once.
PROMELA = (
    Instance("spin_dist/Book_1991/p337.pftp.ses.pml", 287_366),
    Instance("spin_dist/Book_1991/p347.pftp.ses5.pml", 258_051),
    Instance("spin_dist/LTL/pftp.pml", 439_895),
    Instance("spin_dist/dtp.pml", 251_409),
    Instance("spin_dist/hajek.pml", 116_087),
    Instance("ltsmin_examples/peterson3.pml", 271_285),
    Instance("spins_case_studies/case_studies/i-protocol/code/spin/i3", 388_929),
    Instance("beem_pm/bridge.1.pm", 168_452),
    Instance("beem_pm/cambridge.1.pm", 336_338),
    Instance("beem_pm/cambridge.2.pm", 493_279),
    Instance("beem_pm/cambridge.3.pm", 616_010),
    Instance("beem_pm/lann.2.pm", 125_544),
    Instance("beem_pm/lamport_nonatomic.1.pm", 185_198),
    Instance("beem_pm/lamport_nonatomic.2.pm", 156_016),
    Instance("beem_pm/lamport_nonatomic.3.pm", 344_676),
    Instance("beem_pm/firewire_link.4.pm", 105_967),
)

# DVE only: larger models, without a comparison.
LARGE = (
    Instance("brp.4", 12_068_447),
    Instance("cambridge.7", 11_465_015),
    Instance("firewire_link.5", 18_553_032),
    Instance("synapse.7", 10_198_141),
    Instance("anderson.6", 18_206_917),
)
