"""Models with some of their text replaced, for tests that any text is either a model or refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from scrimp.errors import ScrimpError


@st.composite
def mutants(draw: st.DrawFn, seeds: Sequence[bytes], pieces: Sequence[bytes]) -> bytes:
    """A model with some of its text replaced by pieces of its own, by pieces of the language or by any bytes."""
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 30)))
        copied = draw(st.integers(0, len(text)))
        piece = draw(
            st.sampled_from(pieces) | st.binary(max_size=4) | st.just(text[copied : copied + draw(st.integers(0, 30))])
        )
        text = text[:start] + piece + text[end:]
    return text


def refusal(attempt: Callable[[], object]) -> str | None:
    """The line with which an attempt is refused, None if it succeeds."""
    try:
        attempt()
    except ScrimpError as error:
        return str(error)
    return None


def is_one_line_about(where: str, line: str) -> bool:
    return line.startswith(where) and line.splitlines() == [line]
