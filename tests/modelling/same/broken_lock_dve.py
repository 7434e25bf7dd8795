# models/broken_lock.dve
"""A lock that looks before it takes."""

from scrimp.modelling import Model, always, process, step, until

CLIENTS = 2


class BrokenLock(Model):
    taken: bool = False
    inside: int = 0

    @process(count=CLIENTS)
    async def client(self, me: int) -> None:
        while True:
            await until(lambda: not self.taken)
            await step()
            self.taken = True
            self.inside += 1
            await step()
            self.taken = False
            self.inside -= 1

    @always
    def alone(self) -> bool:
        return self.inside <= 1
