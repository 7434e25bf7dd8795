# models/philosophers_ordered.dve
"""Four philosophers who take the fork with the lower number first."""

from scrimp.modelling import Array, Model, process, step, until

N = 4


class Philosophers(Model):
    fork: Array[bool] = Array(N, False)

    @process(count=N)
    async def philosopher(self, me: int) -> None:
        while True:
            await until(lambda: not self.fork[min(me, (me + 1) % N)])
            self.fork[min(me, (me + 1) % N)] = True
            await until(lambda: not self.fork[max(me, (me + 1) % N)])
            self.fork[max(me, (me + 1) % N)] = True
            await step()
            self.fork[max(me, (me + 1) % N)] = False
            await step()
            self.fork[min(me, (me + 1) % N)] = False
