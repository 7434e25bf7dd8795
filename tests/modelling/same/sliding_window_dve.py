# models/sliding_window.dve
"""The sliding-window protocol, written as actions."""

from enum import Enum, auto
from typing import Annotated

from scrimp.modelling import Model, Queue, Range, action, always, require

WINDOW = 3
MODULUS = 4
CONTENTS = 5
CAPACITY = 2

Byte = Annotated[int, Range(0, 255)]


class Receiver(Enum):
    WAITS = auto()
    LOOKS = auto()
    DELIVERS = auto()
    ANSWERING = auto()


class SlidingWindow(Model):
    data: Queue[tuple[Byte, Byte]] = Queue(CAPACITY)
    answers: Queue[Byte] = Queue(CAPACITY)
    answered: bool = False
    first: Byte = 0
    oldest: Byte = 0
    sent: Byte = 0
    ever_sent: Byte = 0
    step: Byte = 0
    receiver: Receiver = Receiver.WAITS
    expected: Byte = 0
    wanted: Byte = 0
    number: Byte = 0
    contents: Byte = 0

    @action
    def send(self) -> None:
        require(not self.answered and self.sent < WINDOW and not self.data.full())
        self.data.put_nowait(((self.first + self.sent) % MODULUS, (self.oldest + self.sent) % CONTENTS))
        self.sent += 1
        self.ever_sent += self.ever_sent < self.sent

    @action
    def time_out(self) -> None:
        require(not self.answered and self.sent > 0)
        self.sent = 0

    @action
    def hear(self) -> None:
        require(not self.answered and not self.answers.empty())
        self.step = (self.answers.get_nowait() + MODULUS - self.first) % MODULUS
        self.answered = True

    @action
    def slide(self) -> None:
        require(self.answered)
        self.first = (self.first + self.step) % MODULUS
        self.oldest = (self.oldest + self.step) % CONTENTS
        self.sent = self.sent - self.step if self.sent >= self.step else 0
        self.ever_sent -= self.step
        self.step = 0
        self.answered = False

    @action
    def receive(self) -> None:
        require(self.receiver is Receiver.WAITS and not self.data.empty())
        self.number, self.contents = self.data.get_nowait()
        self.receiver = Receiver.LOOKS

    @action
    def look(self) -> None:
        require(self.receiver is Receiver.LOOKS)
        if self.number == self.expected:
            self.receiver = Receiver.DELIVERS
        else:
            self.receiver = Receiver.ANSWERING
            self.number = self.contents = 0

    @action
    def deliver(self) -> None:
        require(self.receiver is Receiver.DELIVERS)
        self.expected = (self.expected + 1) % MODULUS
        self.wanted = (self.wanted + 1) % CONTENTS
        self.number = self.contents = 0
        self.receiver = Receiver.ANSWERING

    @action
    def answer(self) -> None:
        require(self.receiver is Receiver.ANSWERING and not self.answers.full())
        self.answers.put_nowait(self.expected)
        self.receiver = Receiver.WAITS

    @action
    def lose_data(self) -> None:
        require(not self.data.empty())
        self.data.get_nowait()

    @action
    def lose_answer(self) -> None:
        require(not self.answers.empty())
        self.answers.get_nowait()

    @always
    def in_order(self) -> bool:
        return self.receiver is not Receiver.DELIVERS or self.contents == self.wanted

    @always
    def inside_the_window(self) -> bool:
        if self.answered:
            return self.step <= self.ever_sent
        return self.sent <= self.ever_sent <= WINDOW
