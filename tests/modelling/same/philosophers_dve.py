# models/philosophers.dve
"""Four philosophers who take the left fork first."""

from scrimp.modelling import Array, Model, process, step, until

N = 4


class Philosophers(Model):
    fork: Array[bool] = Array(N, False)

    @process(count=N)
    async def philosopher(self, me: int) -> None:
        while True:
            await until(lambda: not self.fork[me])
            self.fork[me] = True
            await until(lambda: not self.fork[(me + 1) % N])
            self.fork[(me + 1) % N] = True
            await step()
            self.fork[(me + 1) % N] = False
            await step()
            self.fork[me] = False
