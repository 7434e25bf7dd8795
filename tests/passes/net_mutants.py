"""Mistakes that a structural reduction might make, each as one change of the text of its module."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

from scrimp.passes.nets.draft import Draft, Rule
from scrimp.passes.nets.places import ExclusivePlaces

PACKAGE = "scrimp.passes.nets"


@dataclass(frozen=True)
class NetMutant:
    """`seed` and `profile` name a random net on which the mistake shows; `rule` is the one that makes it."""

    name: str
    module: str
    before: str
    after: str
    rule: str
    profile: str
    seed: int

    def applied(self) -> Rule:
        """The rule with the mistake."""
        module = self._module()
        if hasattr(module, "SharedTokens") and not hasattr(module, self.rule):
            return _Misled(module)
        made: Rule = getattr(module, self.rule)()
        return made

    def _module(self) -> ModuleType:
        name = f"{PACKAGE}.{self.module}"
        path = Path(str(importlib.import_module(name).__file__))
        text = path.read_text()
        assert text.count(self.before) == 1, f"{self.name}: {self.before!r} occurs {text.count(self.before)} times"
        module = ModuleType(name)
        with patch.dict("sys.modules", {name: module}):
            exec(compile(text.replace(self.before, self.after), str(path), "exec"), module.__dict__)
        return module


@dataclass(frozen=True)
class _Misled(ExclusivePlaces):
    """The rule, with knowledge by a module that makes the mistake."""

    module: ModuleType

    def apply(self, draft: Draft) -> int:
        draft.shared = self.module.SharedTokens(draft.shared.net, draft.shared.exclusive)
        return super().apply(draft)


NET_MUTANTS: Sequence[NetMutant] = (
    NetMutant(
        "post-agglomeration: consumers need other places, too",
        "agglomeration",
        "        len(f.consumes) == 1\n        and not (f.tests",
        "        not (f.tests",
        "PostAgglomeration",
        "processes",
        12,
    ),
    NetMutant(
        "post-agglomeration: consumers are visible",
        "agglomeration",
        "        and all(draft.is_hidden(place) for place in f.produces)\n",
        "",
        "PostAgglomeration",
        "processes",
        42,
    ),
    NetMutant(
        "post-agglomeration: a consumer waits for several producers",
        "agglomeration",
        "times.before == 1 and ",
        "",
        "PostAgglomeration",
        "long",
        304,
    ),
    NetMutant(
        "pre-agglomeration: others need what producers consume",
        "agglomeration",
        "return all(draft.needing[place] == {h} for place in draft[h].consumes)",
        "return True",
        "PreAgglomeration",
        "processes",
        322,
    ),
    NetMutant(
        "pre-agglomeration: producers produce elsewhere, too",
        "agglomeration",
        "        and len(h.produces) == 1\n",
        "",
        "PreAgglomeration",
        "processes",
        225,
    ),
    NetMutant(
        "pre-agglomeration: a producer serves several consumers",
        "agglomeration",
        "times.after == 1 and ",
        "",
        "PreAgglomeration",
        "batches",
        102,
    ),
    NetMutant(
        "pre-agglomeration: producers are visible",
        "agglomeration",
        "        and all(draft.is_hidden(place) for place in h.consumes)\n",
        "",
        "PreAgglomeration",
        "processes",
        24,
    ),
    NetMutant(
        "pre-agglomeration: producers count as never fired",
        "agglomeration",
        "        draft.unknown |= set().union(*(draft.transitions[h].covers for h in draft.giving[place]))\n",
        "",
        "PreAgglomeration",
        "processes",
        13,
    ),
    NetMutant(
        "free agglomeration: deadlocks are asked for",
        "agglomeration",
        "keeps = Kept.PREFIXES",
        "keeps = Kept.DEADLOCKS",
        "FreeAgglomeration",
        "processes",
        322,
    ),
    NetMutant(
        "agglomeration: the place is marked at first",
        "agglomeration",
        "return draft.tokens[place] == 0 and bool",
        "return bool",
        "PostAgglomeration",
        "processes",
        0,
    ),
    NetMutant(
        "agglomeration: a consumer tests the place, too",
        "agglomeration",
        "if tested or len(given)",
        "if (tested and 0 in taken) or len(given)",
        "PreAgglomeration",
        "special",
        653,
    ),
    NetMutant(
        "agglomeration: a transition consumes from the place and produces on it",
        "agglomeration",
        "            or before & after\n",
        "",
        "PostAgglomeration",
        "processes",
        22,
    ),
    NetMutant(
        "agglomeration: a test sees what was consumed before it",
        "agglomeration",
        "weight + consumes.get(other, 0)",
        "weight",
        "FreeAgglomeration",
        "special",
        929,
    ),
    NetMutant(
        "constant places: there are always enough tokens",
        "places",
        "draft.needs(number).get(place, 0) > held or ",
        "",
        "ConstantPlaces",
        "processes",
        13,
    ),
    NetMutant(
        "constant places: they never inhibit",
        "places",
        " or draft[number].inhibitors.get(place, held + 1) <= held",
        "",
        "ConstantPlaces",
        "special",
        43,
    ),
    NetMutant(
        "sink places: they never inhibit",
        "places",
        "        and not any(place in draft[number].inhibitors for number in draft.special[place])\n",
        "",
        "SinkPlaces",
        "special",
        205,
    ),
    NetMutant(
        "implied places: the initial tokens do not matter",
        "places",
        "draft.needs(number).get(other, 0) + surplus",
        "draft.needs(number).get(other, 0)",
        "ImpliedPlaces",
        "buffers",
        19,
    ),
    NetMutant(
        "implied places: the other place may grow faster",
        "places",
        "draft.change(number).get(place, 0) >= draft.change(number).get(other, 0)\n        and ",
        "",
        "ImpliedPlaces",
        "buffers",
        0,
    ),
    NetMutant(
        "dead transitions: bounds are never attained",
        "transitions",
        "weight > bound",
        "weight >= bound",
        "DeadTransitions",
        "processes",
        0,
    ),
    NetMutant(
        "identical transitions: conditions do not matter",
        "transitions",
        "alike[_effect(fused.transition), *_conditions(fused.transition)]",
        "alike[_effect(fused.transition)]",
        "IdenticalTransitions",
        "processes",
        1,
    ),
    NetMutant(
        "identical transitions: the removed ones count as never fired",
        "transitions",
        "covers=draft.transitions[kept].covers | covers",
        "covers=draft.transitions[kept].covers",
        "IdenticalTransitions",
        "processes",
        1,
    ),
    NetMutant(
        "dominated transitions: the one that needs less is removed",
        "transitions",
        "weight <= needs.get(place, 0) for place, weight in one.needs.items()",
        "one.needs.get(place, 0) >= weight for place, weight in needs.items()",
        "DominatedTransitions",
        "processes",
        1,
    ),
    NetMutant(
        "useless transitions: deadlocks are asked for",
        "transitions",
        "keeps = Kept.PREFIXES",
        "keeps = Kept.DEADLOCKS",
        "UselessTransitions",
        "processes",
        21,
    ),
    NetMutant(
        "useless transitions: they are visible if they take tokens away",
        "transitions",
        "*(changing[place] for place in draft.asked.observed)",
        "*(adding[place] for place in draft.asked.observed)",
        "UselessTransitions",
        "processes",
        71,
    ),
    NetMutant(
        "useless transitions: useful ones need nothing",
        "transitions",
        "            *(adding.pop(place, ()) for place in draft.needs(number)),  # 2\n",
        "",
        "UselessTransitions",
        "processes",
        19,
    ),
    NetMutant(
        "useless transitions: useful ones are not inhibited",
        "transitions",
        "            *(changing.pop(place, ()) for place in draft[number].inhibitors),  # 3\n",
        "",
        "UselessTransitions",
        "special",
        1251,
    ),
    NetMutant(
        "useless transitions: what takes tokens away does not matter to inhibited ones",
        "transitions",
        "*(changing.pop(place, ()) for place in draft[number].inhibitors)",
        "*(adding.get(place, ()) for place in draft[number].inhibitors)",
        "UselessTransitions",
        "special buffers",
        1161,
    ),
    NetMutant(
        "useless transitions: an emptied place never gains tokens",
        "transitions",
        "            if place in transition.produces:\n                adding[place].add(number)\n",
        "",
        "UselessTransitions",
        "special buffers",
        1645,
    ),
    NetMutant(
        "useless transitions: they can never fire",
        "transitions",
        "        for number in useless:\n            draft.unknown |= draft.drop(number).covers\n",
        "        for number in useless:\n            draft.drop(number)\n",
        "UselessTransitions",
        "processes",
        6,
    ),
    NetMutant(
        "marked post-agglomeration: several consumers share the initial tokens",
        "agglomeration",
        "len(draft.needing[place]) == 1 and _firings",
        "_firings",
        "MarkedPostAgglomeration",
        "processes",
        10,
    ),
    NetMutant(
        "marked post-agglomeration: the initial tokens are not consumed",
        "agglomeration",
        "            draft.begin_with(f)\n",
        "            pass\n",
        "MarkedPostAgglomeration",
        "processes",
        0,
    ),
    NetMutant(
        "marked post-agglomeration: the consumer fires once",
        "agglomeration",
        "for _ in range(_firings(draft, place)):",
        "for _ in range(1):",
        "MarkedPostAgglomeration",
        "choices",
        1345,
    ),
    NetMutant(
        "free agglomeration: runs are asked for",
        "agglomeration",
        "keeps = Kept.PREFIXES",
        "keeps = Kept.RUNS",
        "FreeAgglomeration",
        "processes",
        322,
    ),
    NetMutant(
        "agglomeration: steps are counted",
        "agglomeration",
        "keeps = Kept.RUNS",
        "keeps = Kept.STEPS",
        "PostAgglomeration",
        "processes",
        5,
    ),
    NetMutant(
        "exclusive places: the token may be elsewhere",
        "places",
        "all(rivals & ~each == 0 for each in empty)",
        "all(rivals & each for each in empty)",
        "ExclusivePlaces",
        "processes",
        5,
    ),
    NetMutant(
        "exclusive places: one of the transitions has what it needs",
        "places",
        "all(rivals & ~each == 0 for each in empty)",
        "any(rivals & ~each == 0 for each in empty)",
        "ExclusivePlaces",
        "processes",
        16,
    ),
    NetMutant(
        "exclusive places: the place itself is needed elsewhere",
        "places",
        "        if other != place:\n            found |=",
        "        if True:\n            found |=",
        "ExclusivePlaces",
        "processes",
        0,
    ),
    NetMutant(
        "exclusive places: they are visible",
        "places",
        "if draft.is_hidden(place) and draft.needing[place] and _must_be_marked",
        "if draft.needing[place] and _must_be_marked",
        "ExclusivePlaces",
        "processes",
        23,
    ),
    NetMutant(
        "shared tokens: a set may lose its token",
        "tokens",
        "return not added and not",
        "return added <= 0 and not",
        "ExclusivePlaces",
        "processes",
        0,
    ),
    NetMutant(
        "shared tokens: a set may be empty at first",
        "tokens",
        " for place in places) == 1 and all(",
        " for place in places) <= 1 and all(",
        "ExclusivePlaces",
        "processes",
        22,
    ),
)
