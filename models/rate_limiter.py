# expect: states=24 transitions=76 deadlocks=0 verdict=proved
"""A token bucket: at most BURST requests pass between two ticks of the clock. A request takes its token in the same
step in which it sees one. rate_limiter_racy.py awaits something between the two."""

from scrimp.modelling import Model, action, always, process, require, run, step, until

CLIENTS = 3
BURST = 2


class RateLimiter(Model):
    tokens: int = BURST
    passed: int = 0  # since the last tick

    @action
    def tick(self) -> None:
        require(self.passed > 0 or self.tokens < BURST)
        self.tokens = BURST
        self.passed = 0

    @process(count=CLIENTS, daemon=True)
    async def client(self, me: int) -> None:
        while True:
            await until(lambda: self.tokens > 0)
            self.tokens -= 1
            self.passed += 1
            await step()  # the request itself

    @always
    def limited(self) -> bool:
        """At most BURST requests between two ticks."""
        return self.passed <= BURST


if __name__ == "__main__":
    run(RateLimiter)
