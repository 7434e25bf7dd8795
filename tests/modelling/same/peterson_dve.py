# models/peterson.dve
"""Peterson's algorithm. More pairs than one compete for a critical section each."""

from scrimp.modelling import Array, Model, process, step, until

PAIRS = 1


class Peterson(Model):
    wants: Array[bool] = Array(2 * PAIRS, False)
    turn: Array[int] = Array(PAIRS, 0)

    @process(count=2 * PAIRS)
    async def competitor(self, me: int) -> None:
        while True:
            await step()
            self.wants[me] = True
            await step()
            self.turn[me // 2] = 1 - me % 2
            await until(lambda: not self.wants[me ^ 1] or self.turn[me // 2] == me % 2)
            await step()
            self.wants[me] = False
