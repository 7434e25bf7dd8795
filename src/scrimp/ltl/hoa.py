"""The Hanoi Omega-Automata format, in which tools exchange automata (Babiak et al., CAV 2015; HOA v1)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from scrimp.errors import ModelError
from scrimp.ltl.automaton import MOST_ATOMS, MOST_MARKS, Automaton, Cube, Edge
from scrimp.ltl.diagrams import FALSE, TRUE, Diagram, Diagrams

_TOKEN = re.compile(
    r"""\s*(?:(?P<comment>/\*)
    | (?P<end>--END--)|(?P<body>--BODY--)|(?P<abort>--ABORT--)
    | (?P<string>"(?:[^"\\]|\\.)*")
    | (?P<alias>@[A-Za-z0-9_-]+)
    | (?P<header>[A-Za-z_][A-Za-z0-9_-]*:)
    | (?P<name>[A-Za-z_][A-Za-z0-9_-]*)
    | (?P<number>[0-9]+)
    | (?P<sign>[\[\]{}()!&|])
    | (?P<other>\S))""",
    re.VERBOSE | re.DOTALL,
)
_KNOWN = frozenset({"HOA:", "States:", "Start:", "AP:", "Alias:", "Acceptance:", "acc-name:", "tool:", "name:"})
_MOST_STATES = 1_000_000
_LONGEST = 10  # number of digits that are read
_LONGEST_SHOWN = 40


def write_hoa(automaton: Automaton, name: str = "") -> str:
    """The text of an automaton."""
    marks = automaton.marks
    kind = "all" if not marks else "Buchi" if marks == 1 else f"generalized-Buchi {marks}"
    condition = "&".join(f"Inf({mark})" for mark in range(marks)) or "t"
    lines = [
        "HOA: v1",
        *([f"name: {json.dumps(name)}"] if name else []),
        f"States: {automaton.states}",
        f"Start: {automaton.initial}",
        " ".join([f"AP: {len(automaton.atoms)}", *map(json.dumps, automaton.atoms)]),
        f"acc-name: {kind}",
        f"Acceptance: {marks} {condition}",
        "properties: trans-labels explicit-labels trans-acc" + (" deterministic" * automaton.is_deterministic),
        "--BODY--",
    ]
    for state, edges in enumerate(automaton.leaving):
        lines.append(f"State: {state}")
        lines += map(_edge_text, edges)
    return "\n".join([*lines, "--END--", ""])


def _edge_text(edge: Edge) -> str:
    marks = " ".join(str(mark) for mark in range(edge.marks.bit_length()) if edge.marks >> mark & 1)
    label = " | ".join(map(_cube_text, edge.cubes)) or "f"
    return f"[{label}] {edge.target}" + (f" {{{marks}}}" if marks else "")


def _cube_text(cube: Cube) -> str:
    literals = [
        ("!" if cube.false >> atom & 1 else "") + str(atom)
        for atom in range((cube.true | cube.false).bit_length())
        if (cube.true | cube.false) >> atom & 1
    ]
    return "&".join(literals) or "t"


def read_hoa(text: str, file: str = "<automaton>") -> Automaton:
    """The first automaton in a text; raises ModelError, also for acceptance conditions other than (generalised) Büchi
    and for alternating automata."""
    return _Reader(text, file).automaton()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    offset: int


@dataclass
class _Header:
    states: int | None = None
    starts: list[int] = field(default_factory=list)
    atoms: tuple[str, ...] | None = None
    sets: int = 0
    mark_of_set: dict[int, int] | None = None
    marks: int = 0


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.tokens = list(self._tokenise())
        self.place = 0
        self.header = _Header()
        self.diagrams = Diagrams()
        self.aliases: dict[str, Diagram] = {}
        self.edges: dict[int, list[tuple[Diagram, int, int]]] = {}

    def automaton(self) -> Automaton:
        self._headers()
        self._body()
        header = self.header
        if not header.starts:
            self._fail("'Start:'; the automaton has no initial state")
        named = [*self.edges, *(target for edges in self.edges.values() for _, _, target in edges), *header.starts]
        states = max(header.states or 0, max(named) + 1)
        initial = header.starts[0]
        if len(header.starts) > 1:  # one more state, with the edges of all initial ones
            initial, states = states, states + 1
            self.edges[initial] = [edge for start in header.starts for edge in self.edges.get(start, [])]
        edges = tuple(
            Edge(state, target, tuple(Cube(*cube) for cube in self.diagrams.cubes(label)), marks)
            for state in sorted(self.edges)
            for label, marks, target in self.edges[state]
            if label != FALSE
        )
        return Automaton(header.atoms or (), states, initial, edges, header.marks)

    # Headers

    def _headers(self) -> None:
        if not self._accept("header", "HOA:"):
            self._fail("'HOA: v1' at the beginning")
        if self._take("name", "the version").text != "v1":
            self._fail_at(self.tokens[self.place - 1], "version v1")
        while not self._accept("body"):
            header = self._take("header", "a header or '--BODY--'")
            self._header_item(header)
        if self.header.mark_of_set is None:
            self._fail_at(self.tokens[self.place - 1], "'Acceptance:' before the body")
        if self.header.states is not None and max(self.header.starts, default=0) >= self.header.states:
            self._fail_at(self.tokens[self.place - 1], f"initial states below {self.header.states} before the body")

    def _header_item(self, header: _Token) -> None:
        match header.text:
            case "States:":
                self.header.states = self._number("the number of states", _MOST_STATES)
            case "Start:":
                self.header.starts.append(self._state())
            case "AP:":
                count = self._number("the number of atoms", MOST_ATOMS)
                self.header.atoms = tuple(self._string() for _ in range(count))
            case "Alias:":
                name = self._take("alias", "an alias such as @a").text
                self.aliases[name] = self._label()
            case "Acceptance:":
                self._acceptance()
            case "acc-name:" | "tool:" | "name:":
                self._skip()
            case other if other[0].isupper():
                self._fail_at(header, "no header that changes the meaning of the automaton in an unknown way")
            case _:
                self._skip()

    def _skip(self) -> None:
        while self.tokens[self.place].kind in ("name", "number", "string", "alias", "sign", "other"):
            self.place += 1

    def _acceptance(self) -> None:
        """Inf(i) & Inf(j) & …; anything else is no generalised Büchi condition."""
        start = self.tokens[self.place]
        self.header.sets = self._number("the number of acceptance sets", MOST_MARKS)
        sets: dict[int, int] | None = {}
        if self._accept("name", "t"):
            pass
        elif self._accept("name", "f"):
            sets, self.header.marks = {}, 1  # a mark that no edge has
            self.header.mark_of_set = sets
            return
        else:
            sets = self._conjunction_of_sets(start)
        self.header.mark_of_set = sets
        self.header.marks = len(sets or {})

    def _conjunction_of_sets(self, start: _Token) -> dict[int, int]:
        sets: dict[int, int] = {}
        opened = 0
        while True:
            while self._accept("sign", "("):
                opened += 1
            if not self._accept("name", "Inf") or not self._accept("sign", "("):
                self._refuse_acceptance(start)
            if self.tokens[self.place].kind != "number":
                self._refuse_acceptance(start)
            sets.setdefault(self._set("an acceptance set"), len(sets))
            if not self._accept("sign", ")"):
                self._fail("')'")
            while opened and self._accept("sign", ")"):
                opened -= 1
            if not self._accept("sign", "&"):
                break
        if opened or self.tokens[self.place].text == "|":
            self._refuse_acceptance(start)
        return sets

    def _refuse_acceptance(self, start: _Token) -> NoReturn:
        named = re.search(r"^acc-name:[ \t]*(.*?)[ \t]*$", self.text, re.MULTILINE)
        words = f"'{named.group(1)}'" if named else "this acceptance condition"
        line, column = self._position(start.offset)
        message = f"found {words}, expected Büchi or generalised Büchi acceptance, as in 'Acceptance: 2 Inf(0)&Inf(1)'"
        raise ModelError(self.file, line, column, message)

    # Labels

    def _label(self) -> Diagram:
        found = self._label_conjunction()
        while self._accept("sign", "|"):
            found = self.diagrams.either(found, self._label_conjunction())
        return found

    def _label_conjunction(self) -> Diagram:
        found = self._label_operand()
        while self._accept("sign", "&"):
            found = self.diagrams.both(found, self._label_operand())
        return found

    def _label_operand(self) -> Diagram:
        token = self._next()
        match token.kind, token.text:
            case "sign", "!":
                return self.diagrams.neither(self._label_operand())
            case "sign", "(":
                found = self._label()
                if not self._accept("sign", ")"):
                    self._fail("')'")
                return found
            case "name", "t":
                return TRUE
            case "name", "f":
                return FALSE
            case "number", _ if len(token.text) < _LONGEST and int(token.text) < len(self.header.atoms or ()):
                return self.diagrams.true_if(int(token.text))
            case "alias", _ if token.text in self.aliases:
                return self.aliases[token.text]
        return self._fail_at(token, "t, f, the number of an atom, an alias, '!' or '('")

    # Body

    def _body(self) -> None:
        while not self._accept("end"):
            if self._accept("abort"):
                self._fail_at(self.tokens[self.place - 1], "a complete automaton")
            if not self._accept("header", "State:"):
                self._fail("'State:' or '--END--'")
            self._state_with_edges()

    def _state_with_edges(self) -> None:
        shared = self._bracketed_label()
        state_token = self.tokens[self.place]
        state = self._state()
        if state in self.edges:
            self._fail_at(state_token, "each state once")
        self._accept("string")
        marks = self._marks()
        edges = self.edges[state] = []
        unlabelled = 0
        while self.tokens[self.place].text == "[" or self.tokens[self.place].kind == "number":
            label = self._bracketed_label() if shared is None else shared
            if label is None:
                label, unlabelled = self._letter(unlabelled), unlabelled + 1
            target = self._state()
            edges.append((label, marks | self._marks(), target))
        letters = 1 << len(self.header.atoms or ())
        if unlabelled and not unlabelled == len(edges) == letters:
            self._fail_at(state_token, f"a state whose edges have labels, or one with {letters} edges without labels")

    def _letter(self, number: int) -> Diagram:
        """The label of an edge that is not labelled: edges are in the order of letters then."""
        atoms = len(self.header.atoms or ())
        if number >= 1 << atoms:
            self._fail(f"at most {1 << atoms} edges without labels")
        return self.diagrams.cube(number, ~number & ((1 << atoms) - 1))

    def _bracketed_label(self) -> Diagram | None:
        if not self._accept("sign", "["):
            return None
        label = self._label()
        if not self._accept("sign", "]"):
            self._fail("']'")
        return label

    def _marks(self) -> int:
        marks = 0
        if self._accept("sign", "{"):
            while not self._accept("sign", "}"):
                mark = (self.header.mark_of_set or {}).get(self._set("an acceptance set or '}'"))
                marks |= 0 if mark is None else 1 << mark
        return marks

    def _set(self, expected: str) -> int:
        token = self.tokens[self.place]
        number = self._number(expected, MOST_ATOMS)
        if number >= self.header.sets:
            self._fail_at(token, f"the number of an acceptance set, below {self.header.sets}")
        return number

    def _state(self) -> int:
        token = self.tokens[self.place]
        state = self._number("a state", _MOST_STATES)
        if self.header.states is not None and state >= self.header.states:
            self._fail_at(token, f"the number of a state, below {self.header.states}")
        if self.tokens[self.place].text == "&":
            self._fail("one state; alternating automata are not supported")
        return state

    # Tokens

    def _tokenise(self) -> Iterator[_Token]:
        place = 0
        while (found := _TOKEN.match(self.text, place)) is not None:
            place = found.end()
            kind = found.lastgroup or ""
            if kind == "comment":
                place = self._after_comment(found.start(kind))
            else:
                yield _Token(kind, found.group(kind), found.start(kind))
        yield _Token("nothing", "", len(self.text))

    def _after_comment(self, start: int) -> int:
        """The end of a comment; comments may be nested."""
        depth = 0
        for sign in re.finditer(r"/\*|\*/", self.text[start:]):
            depth += 1 if sign.group() == "/*" else -1
            if depth == 0:
                return start + sign.end()
        raise ModelError(self.file, *self._position(start), "found a comment without its end '*/'")

    def _next(self) -> _Token:
        token = self.tokens[self.place]
        if token.kind != "nothing":
            self.place += 1
        return token

    def _accept(self, kind: str, text: str | None = None) -> bool:
        token = self.tokens[self.place]
        if token.kind != kind or (text is not None and token.text != text):
            return False
        self._next()
        return True

    def _take(self, kind: str, expected: str) -> _Token:
        if self.tokens[self.place].kind != kind:
            self._fail(expected)
        return self._next()

    def _number(self, expected: str, most: int) -> int:
        token = self._take("number", expected)
        if len(token.text) > len(str(most)) or int(token.text) > most:
            self._fail_at(token, f"at most {most}")
        return int(token.text)

    def _string(self) -> str:
        token = self._take("string", "the name of an atom in double quotes")
        return re.sub(r"\\(.)", r"\1", token.text[1:-1], flags=re.DOTALL)

    def _fail(self, expected: str) -> NoReturn:
        self._fail_at(self.tokens[self.place], expected)

    def _fail_at(self, token: _Token, expected: str) -> NoReturn:
        shown = token.text if len(token.text) <= _LONGEST_SHOWN else f"{token.text[:_LONGEST_SHOWN]}…"
        found = f"'{shown}'" if token.kind != "nothing" else "the end of the text"
        raise ModelError(self.file, *self._position(token.offset), f"found {found}, expected {expected}")

    def _position(self, offset: int) -> tuple[int, int]:
        before = self.text[:offset]
        return before.count("\n") + 1, offset - before.rfind("\n")
