# expect: states=763 transitions=2440 deadlocks=0 verdict=proved
"""A pool of connections, as asyncio programs have it. A request takes an idle connection or opens one if there are
fewer than LIMIT; otherwise it waits until one is given back. A request may fail, and its connection is closed then.
The count of open connections is raised before the new connection is awaited, so that no other request opens one too
many meanwhile. connection_pool_leaky.py has two classic bugs."""

from scrimp.modelling import Model, always, choose, process, reachable, run, step, until

REQUESTS = 4
LIMIT = 2


class ConnectionPool(Model):
    idle: int = 0
    open: int = 0
    used: int = 0
    served: int = 0

    async def acquire(self) -> None:
        await until(lambda: self.idle > 0 or self.open < LIMIT)
        if self.idle > 0:
            self.idle -= 1
        else:
            self.open += 1
            await step()  # connecting takes time
        self.used += 1

    def release(self, broken: bool) -> None:
        self.used -= 1
        if broken:
            self.open -= 1
        else:
            self.idle += 1

    @process(count=REQUESTS)
    async def request(self, me: int) -> None:
        await self.acquire()
        await step()  # the query
        failed = choose(False, True)
        self.release(failed)
        self.served += 1

    @always
    def never_too_many(self) -> bool:
        """At most LIMIT connections are open."""
        return self.open <= LIMIT and self.used + self.idle <= self.open

    @always
    def nothing_leaks(self) -> bool:
        """When all are served, the open connections are idle."""
        return self.served < REQUESTS or self.open == self.idle

    @reachable
    def busy(self) -> bool:
        """All connections are used at once."""
        return self.used == LIMIT


if __name__ == "__main__":
    run(ConnectionPool)
