# models/ticket_lock.dve
"""A ticket lock."""

from scrimp.modelling import Model, process, step, until

CUSTOMERS = 3


class TicketLock(Model):
    next: int = 0
    now: int = 0
    at_the_counter: int = 0

    @process(count=CUSTOMERS)
    async def customer(self, me: int) -> None:
        while True:
            await step()
            mine = self.next
            self.next = (self.next + 1) % CUSTOMERS
            await until(lambda: mine == self.now)  # noqa: B023
            self.at_the_counter += 1
            await step()
            self.at_the_counter -= 1
            self.now = (self.now + 1) % CUSTOMERS
