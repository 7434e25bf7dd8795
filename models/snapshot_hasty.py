# expect: states=1344 transitions=5091 deadlocks=0 verdict=refuted
"""The snapshot of snapshot.py without the channels: tokens on their way are missing from it."""

from typing import Annotated

from scrimp.modelling import Array, Model, Queue, Range, always, choose, process, reachable, run, step, until

NODES = 2
EACH = 2
TOKENS = NODES * EACH
HASTY = True

TOKEN, MARKER = 0, 1
Count = Annotated[int, Range(0, TOKENS)]
Message = Annotated[int, Range(0, 1)]


class HastySnapshot(Model):
    tokens: Array[Count] = Array(NODES, EACH)
    channel: Array[Array[Queue[Message]]] = Array(NODES, Array(NODES, Queue(TOKENS + 1)))  # from, to
    recorded: Array[Count | None] = Array(NODES, None)
    marked: Array[Array[bool]] = Array(NODES, Array(NODES, False))  # the marker from a node has arrived

    def record(self, me: int) -> None:
        self.recorded[me] = self.tokens[me]
        for other in range(NODES):
            if other != me:
                self.channel[me][other].put_nowait(MARKER)

    @process
    async def initiator(self) -> None:
        await step()
        self.record(0)

    @process(count=NODES, daemon=True)
    async def sender(self, me: int) -> None:
        while True:
            await until(lambda: self.tokens[me] > 0)
            self.tokens[me] -= 1
            self.channel[me][(me + choose(*range(1, NODES))) % NODES].put_nowait(TOKEN)

    @process(count=NODES, daemon=True)
    async def receiver(self, me: int) -> None:
        while True:
            await until(lambda: any(not self.channel[other][me].empty() for other in range(NODES)))
            sender = choose(*range(NODES))
            if not self.channel[sender][me].empty():
                self.receive(sender, me, self.channel[sender][me].get_nowait())

    def receive(self, sender: int, me: int, message: int) -> None:
        recorded = self.recorded[me]
        if message == MARKER:
            self.marked[sender][me] = True
            if recorded is None:
                self.record(me)
        else:
            self.tokens[me] += 1
            if recorded is not None and not self.marked[sender][me] and not HASTY:
                self.recorded[me] = recorded + 1  # it was on its way during the snapshot

    @always
    def consistent(self) -> bool:
        """A complete snapshot has all tokens."""
        complete = all(self.marked[i][j] for i in range(NODES) for j in range(NODES) if i != j)
        total = sum(count if count is not None else 0 for count in self.recorded)
        return not complete or total == TOKENS

    @reachable
    def completes(self) -> bool:
        return all(self.marked[i][j] for i in range(NODES) for j in range(NODES) if i != j)


if __name__ == "__main__":
    run(HastySnapshot)
