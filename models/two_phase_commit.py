# expect: states=709 transitions=1541 deadlocks=0 verdict=proved
"""Two-phase commit. A coordinator asks everybody for a vote and commits if all say yes; it may crash at any moment.
Participants who voted yes wait for the outcome, if need be forever: that is the price of two phases.
two_phase_commit_impatient.py has participants who do not wait."""

from enum import Enum, auto

from scrimp.modelling import Array, Model, Queue, always, choose, process, reachable, run, until

PARTICIPANTS = 3
IMPATIENT = False


class Letter(Enum):
    PREPARE = auto()
    COMMIT = auto()
    ABORT = auto()


class Outcome(Enum):
    COMMITTED = auto()
    ABORTED = auto()


class TwoPhaseCommit(Model):
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
    run(TwoPhaseCommit)
