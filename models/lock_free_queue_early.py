# expect: states=93914 transitions=313592 deadlocks=0 verdict=refuted
"""The queue of lock_free_queue.py, whose producers publish a slot before they fill it: a consumer may take nothing."""

from scrimp.modelling import Array, Model, always, process, reachable, run, step

SLOTS = 2
PRODUCERS = 2
CONSUMERS = 2
EACH = 2
EARLY = True


class EarlyQueue(Model):
    sequence: Array[int] = Array(SLOTS, 0)
    content: Array[int] = Array(SLOTS, 0)
    tail: int = 0
    head: int = 0
    received: Array[int] = Array(PRODUCERS + 1, 0)  # how many items of each producer, nothing from nobody

    def turn(self, position: int) -> int:
        """The sequence number of a slot, counted in rounds of the whole queue."""
        return self.sequence[position % SLOTS]

    @process(count=PRODUCERS)
    async def producer(self, me: int) -> None:
        for _ in range(EACH):
            while True:
                await step()
                position = self.tail
                await step()
                if self.turn(position) != 2 * (position // SLOTS):
                    continue  # full, or somebody was faster
                await step()
                if self.tail == position:  # compare and swap
                    self.tail = position + 1
                    break
            await step()
            if EARLY:
                self.sequence[position % SLOTS] += 1
                await step()
                self.content[position % SLOTS] = me + 1
            else:
                self.content[position % SLOTS] = me + 1
                await step()
                self.sequence[position % SLOTS] += 1

    @process(count=CONSUMERS)
    async def consumer(self, me: int) -> None:
        for _ in range(PRODUCERS * EACH // CONSUMERS):
            while True:
                await step()
                position = self.head
                await step()
                if self.turn(position) != 2 * (position // SLOTS) + 1:
                    continue  # empty, or somebody was faster
                await step()
                if self.head == position:
                    self.head = position + 1
                    break
            await step()
            item = self.content[position % SLOTS]
            self.content[position % SLOTS] = 0
            await step()
            self.sequence[position % SLOTS] += 1
            self.received[item] += 1

    @always
    def no_item_out_of_nothing(self) -> bool:
        """Nobody receives an empty slot, or an item twice."""
        return self.received[0] == 0 and all(count <= EACH for count in self.received)

    @reachable
    def everything_arrives(self) -> bool:
        return sum(self.received) == PRODUCERS * EACH


if __name__ == "__main__":
    run(EarlyQueue)
