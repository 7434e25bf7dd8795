"""All experiments by name."""

from __future__ import annotations

from scrimp.errors import OptionError, unknown
from scrimp.laboratory.experiments import errata, ewk09, ghp92, hgp92, mw09, mw09_beem, mw09_caches, py97, py97_corpus
from scrimp.laboratory.experiments.experiment import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for module in (errata, ghp92, hgp92, py97, py97_corpus, mw09, mw09_beem, mw09_caches, ewk09)
    for experiment in module.EXPERIMENTS
}


def experiment(name: str) -> Experiment:
    if name not in EXPERIMENTS:
        raise OptionError(unknown("experiment", name, EXPERIMENTS))
    return EXPERIMENTS[name]
