# models/philosophers.pml
"""Five philosophers; a fork is a queue that holds an item while it lies on the table."""

from scrimp.modelling import Array, Model, Queue, process

N = 5


class Philosophers(Model):
    fork: Array[Queue[bool]] = Array(N, Queue(1))

    @process(count=N)
    async def philosopher(self, me: int) -> None:
        await self.fork[me].put(True)
        while True:
            await self.fork[me].get()
            await self.fork[(me + 1) % N].get()
            await self.fork[(me + 1) % N].put(True)
            await self.fork[me].put(True)
