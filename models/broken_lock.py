# expect: states=13 transitions=24 deadlocks=0 verdict=refuted
"""A lock that looks before it takes: another client may look while this one is about to take it."""

from scrimp.modelling import Model, always, process, run, step, until

CLIENTS = 2


class BrokenLock(Model):
    taken: bool = False
    inside: int = 0

    @process(count=CLIENTS)
    async def client(self, me: int) -> None:
        while True:
            await until(lambda: not self.taken)
            await step()  # anybody may move here: that is the bug
            self.taken = True
            self.inside += 1
            await step()
            self.inside -= 1
            self.taken = False

    @always
    def mutual_exclusion(self) -> bool:
        """Never two inside."""
        return self.inside <= 1


if __name__ == "__main__":
    run(BrokenLock)
