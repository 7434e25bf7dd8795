# expect: states=108 transitions=342 deadlocks=0 verdict=refuted
"""A token bucket whose clients look for a token, await their turn, and only then take it: two may take the last one.
rate_limiter.py looks and takes in one step."""

from scrimp.modelling import Model, action, always, process, require, run, step, until

CLIENTS = 3
BURST = 2


class RacyLimiter(Model):
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
            await step()  # a log line, say
            self.tokens = max(0, self.tokens - 1)
            self.passed += 1
            await step()

    @always
    def limited(self) -> bool:
        """At most BURST requests between two ticks."""
        return self.passed <= BURST


if __name__ == "__main__":
    run(RacyLimiter)
