# expect: states=851 transitions=2354 deadlocks=0 verdict=proved
"""A bounded buffer as asyncio programs write it, with one condition for both sides. Every change wakes all
that wait, since the one that has waited longest may be of the other side. bounded_buffer_notify.py wakes only one."""

from typing import Annotated

from scrimp.modelling import Condition, Model, Range, always, join, process, run

PRODUCERS = 2
CONSUMERS = 2
ROOM = 1


class BoundedBuffer(Model):
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
                self.changed.notify_all()

    @process(count=CONSUMERS)
    async def consumer(self, me: int) -> None:
        for _ in range(PRODUCERS):
            async with self.changed:
                await self.changed.wait_for(lambda: self.items > 0)
                try:
                    self.consumed += 1
                finally:
                    self.items -= 1
                    self.changed.notify_all()

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
    run(BoundedBuffer)
