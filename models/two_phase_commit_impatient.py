# expect: states=839 transitions=1914 deadlocks=0 verdict=refuted
"""Two-phase commit as in two_phase_commit.py, whose participants abort if the coordinator has crashed, even after they
voted yes: others may have committed."""

from enum import Enum, auto

from scrimp.modelling import Array, Model, Queue, always, choose, process, reachable, run, until

PARTICIPANTS = 3
IMPATIENT = True


class Letter(Enum):
    PREPARE = auto()
    COMMIT = auto()
    ABORT = auto()


class Outcome(Enum):
    COMMITTED = auto()
    ABORTED = auto()


class ImpatientCommit(Model):
    to: Array[Queue[Letter]] = Array(PARTICIPANTS, Queue(2))
    votes: Queue[bool] = Queue(PARTICIPANTS)
    outcome: Array[Outcome | None] = Array(PARTICIPANTS, None)
    crashed: bool = False

    @process
    async def coordinator(self) -> None:
        for i in range(PARTICIPANTS):
            await self.to[i].put(Letter.PREPARE)
            if choose(False, True):
                self.crashed = True
                return
        agreed = True
        for _ in range(PARTICIPANTS):
            if not await self.votes.get():
                agreed = False
        for i in range(PARTICIPANTS):
            await self.to[i].put(Letter.COMMIT if agreed else Letter.ABORT)
            if choose(False, True):
                self.crashed = True
                return

    @process(count=PARTICIPANTS, daemon=True)
    async def participant(self, me: int) -> None:
        await until(lambda: not self.to[me].empty() or self.crashed)
        if self.to[me].empty():
            self.outcome[me] = Outcome.ABORTED  # not asked yet, so nobody can have committed
            return
        self.to[me].get_nowait()
        willing = choose(True, False)
        await self.votes.put(willing)
        if not willing:
            self.outcome[me] = Outcome.ABORTED
            return
        await until(lambda: not self.to[me].empty() or (IMPATIENT and self.crashed))
        if self.to[me].empty():
            self.outcome[me] = Outcome.ABORTED
        else:
            decision = self.to[me].get_nowait()
            self.outcome[me] = Outcome.COMMITTED if decision is Letter.COMMIT else Outcome.ABORTED

    @always
    def agreement(self) -> bool:
        """Nobody commits if somebody aborts."""
        return not (Outcome.COMMITTED in self.outcome and Outcome.ABORTED in self.outcome)

    @reachable
    def everybody_commits(self) -> bool:
        return all(outcome is Outcome.COMMITTED for outcome in self.outcome)


if __name__ == "__main__":
    run(ImpatientCommit)
