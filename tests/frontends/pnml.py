"""Small nets in PNML, and what the reference interpreter makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr

from scrimp.frontends.model import Model
from scrimp.frontends.pnml import read_model
from scrimp.system.reference import Exploration, Fault, State, enabled, evaluate, explore, fire, initial

Marking = Mapping[str, int]
KINDS = {"->": "", "-o": "inhibitor", "-?": "test", "-x": "reset"}


def element(tag: str, *inside: str, **attributes: str) -> str:
    written = "".join(f" {name.rstrip('_')}={quoteattr(value)}" for name, value in attributes.items())
    return f"<{tag}{written}>{''.join(inside)}</{tag}>"


def text(written: object) -> str:
    return element("text", escape(str(written)))


def document(*inside: str, kind: str = "ptnet") -> str:
    net = element("net", *inside, id="n", type=f"http://www.pnml.org/version-2009/grammar/{kind}")
    return f'<?xml version="1.0"?>\n{element("pnml", net)}'


def page(*inside: str) -> str:
    return element("page", *inside, id="page")


def place(id_: str, tokens: int = 0, name: str = "") -> str:
    label = element("name", text(name)) if name else ""
    return element("place", label, element("initialMarking", text(tokens)), id=id_)


def arc(written: str, number: int = 0) -> str:
    """An arc as `p -> t`, with a weight as `p -> t * 2`; `-o` is an inhibitor, `-?` a test and `-x` a reset arc."""
    ends, _, weight = written.partition("*")
    source, kind, target = ends.split()
    inside = [element("inscription", text(weight.strip()))] if weight else []
    inside += [element("type", value=KINDS[kind])] if KINDS[kind] else []
    return element("arc", *inside, id=f"arc {number}", source=source, target=target)


def ptnet(marking: Marking, *arcs: str) -> str:
    """A net whose arcs are written as for `arc`; nodes that are not places are transitions."""
    ends = [end for written in arcs for end in written.partition("*")[0].split()[::2]]
    transitions = [element("transition", id=end) for end in dict.fromkeys(ends) if end not in marking]
    places = [place(id_, tokens) for id_, tokens in marking.items()]
    return document(page(*places, *transitions, *(arc(written, number) for number, written in enumerate(arcs))))


def model(written: str, defines: Mapping[str, str] = {}) -> Model:
    return read_model("net.pnml", written, defines, ignore_property=False)


def marking(net: Model, state: State | Fault) -> dict[str, int]:
    """The places that hold tokens, by name."""
    assert isinstance(state, State)
    layout = net.vocabulary.marking
    assert layout is not None
    tokens = layout.tokens(state.locations, state.values)
    return {name: count for name, count in zip(layout.places, tokens, strict=True) if count}


def places(net: Model) -> tuple[str, ...]:
    assert net.vocabulary.marking is not None
    return net.vocabulary.marking.places


def names(net: Model, events: Iterable[int]) -> list[str]:
    return [net.system.transitions[event].moves[0].text for event in events]


def fireable(net: Model, state: State | None = None) -> list[str]:
    """The transitions that are enabled in a state, the initial one unless given."""
    return sorted(names(net, enabled(net.system, state or initial(net.system))))


def fired(net: Model, *transitions: str) -> dict[str, int]:
    """The marking after some transitions."""
    state: State | Fault = initial(net.system)
    for wanted in transitions:
        assert isinstance(state, State)
        events = enabled(net.system, state)
        state = fire(net.system, state, events[names(net, events).index(wanted)])
    return marking(net, state)


def explored(net: Model) -> Exploration:
    return explore(net.system)


def value(net: Model, expression: str, state: State | None = None) -> int:
    return evaluate(net.system, state or initial(net.system), net.expression(expression))
