"""An interrupt waits until it does no harm, and the third one is raised."""

from __future__ import annotations

import signal

import pytest

from scrimp.interrupts import postponed


def test_an_interrupt_is_noted_and_taken_once() -> None:
    with postponed() as interrupts:
        signal.raise_signal(signal.SIGINT)
        assert interrupts.take()
        assert not interrupts.take()


def test_the_third_interrupt_is_raised() -> None:
    with postponed():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_afterwards_interrupts_are_raised_as_usual() -> None:
    with postponed():
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_handler_of_the_caller_stays() -> None:
    heard: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with postponed() as interrupts:
            signal.raise_signal(signal.SIGINT)
        assert heard == [signal.SIGINT]
        assert not interrupts.take()
    finally:
        signal.signal(signal.SIGINT, usual)
