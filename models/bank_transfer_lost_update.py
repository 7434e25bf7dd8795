# expect: states=408 transitions=744 deadlocks=0 verdict=refuted
"""Transfers between accounts without locks: while one waits for the database, another changes the balance that it has
read, and that change is lost. bank_transfer.py has locks."""

from scrimp.modelling import Array, Model, always, process, run, step

ACCOUNTS = 3
TRANSFERS = 3


class LostUpdate(Model):
    balance: Array[int] = Array(ACCOUNTS, 10)
    under_way: int = 0

    @process(count=TRANSFERS)
    async def transfer(self, me: int) -> None:
        source, target = me % ACCOUNTS, (me + 1) % ACCOUNTS
        self.under_way += 1
        paid = self.balance[source] - 5
        await step()  # the database answers
        received = self.balance[target] + 5
        await step()
        self.balance[source] = paid
        await step()
        self.balance[target] = received
        self.under_way -= 1

    @always
    def no_money_is_lost(self) -> bool:
        """When nobody transfers, the balances add up."""
        return self.under_way > 0 or sum(self.balance) == 10 * ACCOUNTS


if __name__ == "__main__":
    run(LostUpdate)
