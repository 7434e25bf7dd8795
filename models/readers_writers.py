# expect: states=36 transitions=102 deadlocks=0 verdict=proved
"""Readers and writers with a lock that prefers writers: a waiting writer holds back new readers.
readers_writers_racy.py looks and enters in two steps."""

from scrimp.modelling import Model, always, process, run, step, until

READERS = 3
WRITERS = 2


class ReadersWriters(Model):
    reading: int = 0
    writing: int = 0
    waiting: int = 0

    @process(count=READERS)
    async def reader(self, me: int) -> None:
        while True:
            await until(lambda: self.writing == 0 and self.waiting == 0)
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
    run(ReadersWriters)
