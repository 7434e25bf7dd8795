# models/hoare_philosophers.dve
"""Hoare's dining philosophers."""

from scrimp.modelling import Array, Model, process, step, until

N = 4


class Philosophers(Model):
    fork: Array[int] = Array(N, 0)

    @process(count=N)
    async def philosopher(self, me: int) -> None:
        while True:
            await step()
            await until(lambda: self.fork[me] == 0)
            self.fork[me] = 1
            await until(lambda: self.fork[(me + 1) % N] == 0)
            self.fork[(me + 1) % N] = 2
            await until(lambda: self.fork[me] == 1)
            self.fork[me] = 0
            await until(lambda: self.fork[(me + 1) % N] == 2)
            self.fork[(me + 1) % N] = 0
            await step()
