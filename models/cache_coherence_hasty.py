# expect: states=85096 transitions=386048 deadlocks=0 verdict=refuted
"""The protocol of cache_coherence.py, whose directory grants a line before the other copies are gone."""

from enum import Enum, auto
from typing import Annotated

from scrimp.modelling import Array, Model, Queue, Range, always, choose, process, reachable, run, step, until

CACHES = 3
HASTY = True

Cache = Annotated[int, Range(0, CACHES - 1)]


class Line(Enum):
    INVALID = auto()
    SHARED = auto()
    MODIFIED = auto()


class HastyCoherence(Model):
    line: Array[Line] = Array(CACHES, Line.INVALID)
    copy: Array[bool] = Array(CACHES, False)  # the value in each cache: the last one written is `latest`
    memory: bool = False
    latest: bool = False
    requests: Queue[tuple[Cache, bool]] = Queue(CACHES)  # who, and whether to write
    invalidate: Array[bool] = Array(CACHES, False)
    grant: Array[Line] = Array(CACHES, Line.INVALID)

    @process(count=CACHES, daemon=True)
    async def processor(self, me: int) -> None:
        while True:
            await step()
            writes = choose(False, True)
            if self.line[me] is Line.MODIFIED or (self.line[me] is Line.SHARED and not writes):
                if writes:
                    self.latest = not self.latest
                    self.copy[me] = self.latest
                else:
                    assert self.copy[me] == self.latest, "a read sees the last write"
            else:
                await self.requests.put((me, writes))
                await until(lambda: self.grant[me] is not Line.INVALID)
                self.line[me] = self.grant[me]
                self.copy[me] = self.memory
                self.grant[me] = Line.INVALID

    @process(count=CACHES, daemon=True)
    async def snoop(self, me: int) -> None:
        """Each cache answers invalidations beside its processor."""
        while True:
            await until(lambda: self.invalidate[me])
            self.invalidate[me] = False
            if self.line[me] is Line.MODIFIED:
                self.memory = self.copy[me]
            self.line[me] = Line.INVALID
            self.copy[me] = False

    @process(daemon=True)
    async def directory(self) -> None:
        while True:
            who, writes = await self.requests.get()
            for other in range(CACHES):
                if other != who and (self.line[other] is Line.MODIFIED or (writes and self.line[other] is Line.SHARED)):
                    self.invalidate[other] = True
            if not HASTY:
                await until(lambda: not any(self.invalidate))
            self.grant[who] = Line.MODIFIED if writes else Line.SHARED
            await until(lambda: all(line is Line.INVALID for line in self.grant))

    @always
    def single_writer(self) -> bool:
        """A modified line is the only copy."""
        return all(
            self.line[i] is not Line.MODIFIED or self.line[j] is Line.INVALID
            for i in range(CACHES)
            for j in range(CACHES)
            if i != j
        )

    @reachable
    def everybody_shares(self) -> bool:
        return all(line is Line.SHARED for line in self.line)


if __name__ == "__main__":
    run(HastyCoherence)
