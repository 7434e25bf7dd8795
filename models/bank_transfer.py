# expect: states=168 transitions=320 deadlocks=0 verdict=proved
"""Transfers between accounts. Each holds the locks of both accounts, the one with the lower number first, while it
reads and writes. bank_transfer_lost_update.py does without locks."""

from scrimp.modelling import Array, Lock, Model, always, process, run, step

ACCOUNTS = 3
TRANSFERS = 3


class BankTransfer(Model):
    balance: Array[int] = Array(ACCOUNTS, 10)
    locks: Array[Lock] = Array(ACCOUNTS, Lock())
    under_way: int = 0

    @process(count=TRANSFERS)
    async def transfer(self, me: int) -> None:
        source, target = me % ACCOUNTS, (me + 1) % ACCOUNTS
        async with self.locks[min(source, target)], self.locks[max(source, target)]:
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
    run(BankTransfer)
