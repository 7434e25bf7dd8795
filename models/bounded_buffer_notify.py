# expect: states=1339 transitions=3046 deadlocks=60 verdict=refuted
"""A bounded buffer with a classic bug: one condition for both sides, and notify() wakes only the one that has waited
longest. That may be another producer, which finds no room and waits again, and the consumers are never woken.
bounded_buffer.py wakes all."""

from typing import Annotated

from scrimp.modelling import Condition, Model, Range, always, join, process, run

PRODUCERS = 2
CONSUMERS = 2
ROOM = 1


class HastyBuffer(Model):
    items: Annotated[int, Range(0, ROOM)] = 0
    consumed: int = 0
    finished: bool = False
    changed: Condition = Condition()

    @process(count=PRODUCERS)
    async def producer(self, me: int) -> None:
        for _ in range(CONSUMERS):
            async with self.changed:
                await self.changed.wait_for(lambda: self.items < ROOM)
                self.items += 1
                self.changed.notify()

    @process(count=CONSUMERS)
    async def consumer(self, me: int) -> None:
        for _ in range(PRODUCERS):
            async with self.changed:
                await self.changed.wait_for(lambda: self.items > 0)
                try:
                    self.consumed += 1
                finally:
                    self.items -= 1
                    self.changed.notify()

    @process
    async def boss(self) -> None:
        await join(self.producer)
        await join(self.consumer)
        assert self.consumed == PRODUCERS * CONSUMERS
        self.finished = True

    @always
    def nothing_is_left(self) -> bool:
        """When everybody is done, the buffer is empty."""
        return not self.finished or self.items == 0


if __name__ == "__main__":
    run(HastyBuffer)
