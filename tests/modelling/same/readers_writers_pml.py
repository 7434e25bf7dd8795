# models/readers_writers.pml
"""Readers and writers, step by step as in Promela."""

from scrimp.modelling import Model, process, step, until

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
            assert self.writing == 0
            await step()
            self.reading -= 1

    @process(count=WRITERS)
    async def writer(self, me: int) -> None:
        while True:
            await step()
            self.waiting += 1
            await until(lambda: self.reading == 0 and self.writing == 0)
            self.writing += 1
            await step()
            self.waiting -= 1
            await step()
            assert self.reading == 0
            assert self.writing == 1
            await step()
            self.writing -= 1
