# models/philosophers_ordered.pml
"""Five philosophers who take the fork with the lower number first."""

from scrimp.modelling import Array, Model, Queue, process

N = 5


class Philosophers(Model):
    fork: Array[Queue[bool]] = Array(N, Queue(1))

    @process(count=N)
    async def philosopher(self, me: int) -> None:
        await self.fork[me].put(True)
        while True:
            await self.fork[min(me, (me + 1) % N)].get()
            await self.fork[max(me, (me + 1) % N)].get()
            await self.fork[max(me, (me + 1) % N)].put(True)
            await self.fork[min(me, (me + 1) % N)].put(True)
