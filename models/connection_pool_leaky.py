# expect: states=799 transitions=2444 deadlocks=14 verdict=refuted
"""A pool of connections with two classic bugs: the count is raised only after the new connection has been awaited, so
that several requests open one at the same time; and a request that fails never gives its connection back, until the
others wait forever. connection_pool.py has neither."""

from scrimp.modelling import Model, always, choose, process, run, step, until

REQUESTS = 4
LIMIT = 2


class LeakyPool(Model):
    idle: int = 0
    open: int = 0

    @process(count=REQUESTS)
    async def request(self, me: int) -> None:
        await until(lambda: self.idle > 0 or self.open < LIMIT)
        if self.idle > 0:
            self.idle -= 1
        else:
            await step()  # connecting takes time, and meanwhile others see the old count
            self.open += 1
        await step()  # the query
        if choose(False, True):
            return  # it failed: nobody gives the connection back
        self.idle += 1

    @always
    def never_too_many(self) -> bool:
        """At most LIMIT connections are open."""
        return self.open <= LIMIT


if __name__ == "__main__":
    run(LeakyPool)
