"""`simulate --interactive`: the user takes each step on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from textwrap import wrap

from scrimp.errors import OptionError, ScrimpError
from scrimp.numbers import counted
from scrimp.outputs.screen import has_all_signs, say, screen_width, write
from scrimp.outputs.style import dim, plain, strong
from scrimp.outputs.trace_text import numbered_lines, trace_lines, value_text
from scrimp.simulating import ending_lines
from scrimp.steps import Step
from scrimp.system import reference
from scrimp.system.reference import PROGRAM, SETTLING, EvaluationFault, State
from scrimp.walking import Walk, take_random_steps

PROMPT = "number, u, r, w, s, t, h for help, q: "
MOST_STEPS = 1_000_000
HELP = (
    ("1, 2, …", "take that event"),
    ("u", "undo the last step; u 5 undoes five"),
    ("r 10", "run ten steps at random"),
    ("r until x > 3", "run at random until a condition holds"),
    ("r 100 until x > 3", "the same, at most a hundred steps"),
    ("w x + y", "watch an expression; w alone stops watching"),
    ("s", "show the whole state"),
    ("t", "show the steps so far"),
    ("h", "this help"),
    ("q", "quit"),
)
SIGNS = str.maketrans({"→": "->", "…": "...", "·": "-", "–": "-", "×": "x", "≈": "~"})


class Dialogue:
    """Shows what changed, reads a command, carries it out, until the user quits or the input ends."""

    def __init__(self, walk: Walk, file: str) -> None:
        self._walk = walk
        self._file = file
        self._watched: list[str] = []
        self._random = Random(0)
        self._commands: dict[str, Callable[[str], Iterable[str]]] = {
            "u": self._undo,
            "r": self._run,
            "w": self._watch,
            "s": lambda _: self._whole_state(),
            "t": lambda _: trace_lines(self._file, self._walk.trace, width=screen_width()),
            "h": lambda _: self._help(),
        }

    def hold(self) -> None:
        """Talk until the end."""
        self._say(["", *self._last_step(), *self._whole_state()])
        while True:
            self._say(self._choices())
            write(self._fitting(PROMPT))
            try:
                answer = input().strip()
            except EOFError:
                write("\n")
                return
            if answer == "q":
                return
            try:
                self._say(["", *self._answer(answer)])
            except ScrimpError as error:
                self._say([f"  {error}"])

    def _answer(self, answer: str) -> Iterable[str]:
        events = self._walk.events()
        if answer.isdecimal() and 1 <= int(answer) <= len(events):
            self._walk.take(events[int(answer) - 1])
            return self._news()
        word, _, rest = answer.partition(" ")
        if word in self._commands:
            return self._commands[word](rest.strip())
        raise OptionError(f"'{answer}' is not among the choices")

    def _undo(self, rest: str) -> Iterable[str]:
        steps = _number(rest or "1", "u 5")
        self._walk.back_to(max(self._walk.length - steps, 0))
        return self._whole_state()

    def _run(self, rest: str) -> Iterable[str]:
        number, _, condition = f" {rest} ".partition(" until ")
        condition = condition.strip()
        steps = _number(number.strip() or (str(MOST_STEPS) if condition else "1"), "r 10, or r until x > 3")
        if condition:
            self._walk.model.expression(condition)  # a mistake in it is reported before the first step
        before = self._walk.length
        reached = take_random_steps(self._walk, self._random, steps, lambda state: self._holds(condition, state))
        taken = counted(self._walk.length - before, "step")
        ending = f", and {condition} holds" if reached else f", and {condition} did not hold" if condition else ""
        return [f"  {taken}{ending}", *self._news()]

    def _holds(self, condition: str, state: State) -> bool:
        return bool(condition) and self._value(condition, state) not in ("0", None)

    def _watch(self, rest: str) -> Iterable[str]:
        if not rest:
            self._watched.clear()
            return ["  nothing is watched"]
        self._walk.model.expression(rest)
        self._watched = [*dict.fromkeys([*self._watched, rest])]
        return self._watches()

    def _value(self, text: str, state: State) -> str | None:
        try:
            return str(reference.evaluate(self._walk.system, state, self._walk.model.expression(text)))
        except EvaluationFault:
            return None

    def _news(self) -> Iterator[str]:
        """The last step with what it changed, and the watched expressions."""
        yield from self._last_step()
        yield from self._watches()
        yield from self._atomic()

    def _last_step(self) -> Iterator[str]:
        if self._walk.last is not None:
            yield from numbered_lines(self._file, [(self._walk.length, self._walk.last)], screen_width())

    def _watches(self) -> Iterator[str]:
        if isinstance(self._walk.end, State):
            for text in self._watched:
                yield f"  {text} = {strong(self._value(text, self._walk.end) or 'no value')}"

    def _whole_state(self) -> Iterator[str]:
        walk = self._walk
        if isinstance(walk.end, State):
            values = [f"{name} = {value_text(value, names)}" for name, value, names in walk.words.valuation(walk.end)]
            yield dim("  " + ", ".join([*walk.words.places(walk.end), *values]))
            yield from self._watches()
            yield from self._atomic()

    def _atomic(self) -> Iterator[str]:
        end = self._walk.end
        if isinstance(end, State) and end.holder not in (None, PROGRAM, SETTLING):
            yield dim("  in the middle of an atomic sequence: " + self._walk.words.place(end, end.holder))

    def _choices(self) -> Iterator[str]:
        """The numbered events, or why there are none."""
        walk = self._walk
        yield from ending_lines(walk.ending())
        numbered = [(number, Step(event, walk.moves(event))) for number, event in enumerate(walk.events(), 1)]
        yield from numbered_lines(self._file, numbered)

    def _help(self) -> Iterator[str]:
        for keys, text in HELP:
            yield f"  {strong(f'{keys:18}')} {text}"

    def _say(self, lines: Iterable[str]) -> None:
        say(part for line in lines for part in _wrapped(self._fitting(line)))

    @staticmethod
    def _fitting(text: str) -> str:
        """The text in the signs that the terminal has."""
        return text if has_all_signs() else ascii_only(text)


def ascii_only(text: str) -> str:
    """The text in ASCII, with arrows and the like spelled out."""
    return text.translate(SIGNS).encode("ascii", "replace").decode()


def _wrapped(line: str) -> list[str]:
    """The line, broken between words where the screen ends; a line that is broken loses its styles."""
    width = screen_width()
    if width is None or len(plain(line)) <= width:
        return [line]
    text = plain(line)
    indent = " " * (len(text) - len(text.lstrip()))
    return wrap(text, width, initial_indent="", subsequent_indent=indent + "  ", break_on_hyphens=False) or [line]


def _number(text: str, example: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= len(text) <= 7 and 1 <= int(text) <= MOST_STEPS):
        raise OptionError(f"expected a number of steps from 1 to {MOST_STEPS}, as in {example}; found '{text:.20}'")
    return int(text)
