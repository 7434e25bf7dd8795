# expect: states=216 transitions=761 deadlocks=0 verdict=refuted
"""Readers and writers that look in one step and enter in another, so that a reader and a writer may both enter.
readers_writers.py does both in one step."""

from scrimp.modelling import Model, always, process, run, step, until

READERS = 3
WRITERS = 2


class RacyReadersWriters(Model):
    reading: int = 0
    writing: int = 0
    waiting: int = 0

    @process(count=READERS)
    async def reader(self, me: int) -> None:
        while True:
            await until(lambda: self.writing == 0 and self.waiting == 0)
            await step()
            self.reading += 1
            await step()
            self.reading -= 1

    @process(count=WRITERS)
    async def writer(self, me: int) -> None:
        while True:
            await step()
            self.waiting += 1
            await until(lambda: self.reading == 0 and self.writing == 0)
            self.waiting -= 1
            self.writing += 1
            await step()
            self.writing -= 1

    @always
    def exclusive(self) -> bool:
        """A writer is alone."""
        return self.writing == 0 or (self.writing == 1 and self.reading == 0)


if __name__ == "__main__":
    run(RacyReadersWriters)
