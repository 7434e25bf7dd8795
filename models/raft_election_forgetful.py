# expect: states=4790 transitions=30609 deadlocks=0 verdict=refuted
"""Raft's leader election as in raft_election.py, whose nodes forget their vote when they restart: one may vote twice in
a term, and then there are two leaders."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Annotated

from scrimp.modelling import Array, Model, Range, action, always, choose, final, reachable, require, run

NODES = 3
TERMS = 2
FORGETFUL = True

Node = Annotated[int, Range(0, NODES - 1)]
Term = Annotated[int, Range(0, TERMS)]


class Role(Enum):
    FOLLOWER = auto()
    CANDIDATE = auto()
    LEADER = auto()


@dataclass(frozen=True)
class Vote:
    """A vote on its way to a candidate."""

    voter: Node
    candidate: Node
    term: Term


class ForgetfulElection(Model):
    term: Array[Term] = Array(NODES, 0)
    voted_for: Array[Node | None] = Array(NODES, None)
    role: Array[Role] = Array(NODES, Role.FOLLOWER)
    supporters: Array[frozenset[Node]] = Array(NODES, frozenset())
    votes: Array[Vote | None] = Array(NODES, None)  # the last vote that each node sent

    @action
    def time_out(self) -> None:
        node = choose(*range(NODES))
        require(self.role[node] is not Role.LEADER and self.term[node] < TERMS)
        self.term[node] += 1
        self.role[node] = Role.CANDIDATE
        self.voted_for[node] = node
        self.supporters[node] = frozenset({node})

    @action
    def vote(self) -> None:
        """A node hears of a candidate in a term that is not older than its own."""
        node = choose(*range(NODES))
        candidate = choose(*range(NODES))
        require(node != candidate and self.role[candidate] is Role.CANDIDATE)
        require(self.term[candidate] >= self.term[node])
        if self.term[candidate] > self.term[node]:
            self.term[node] = self.term[candidate]
            self.role[node] = Role.FOLLOWER
            self.voted_for[node] = None
            self.supporters[node] = frozenset()
        if self.voted_for[node] is None:
            self.voted_for[node] = candidate
            self.votes[node] = Vote(node, candidate, self.term[node])

    @action
    def count(self) -> None:
        """A vote arrives."""
        node = choose(*range(NODES))
        vote = self.votes[node]
        require(vote is not None)
        if vote is not None:
            self.votes[node] = None
            if self.role[vote.candidate] is Role.CANDIDATE and self.term[vote.candidate] == vote.term:
                self.supporters[vote.candidate] |= {vote.voter}
                if 2 * len(self.supporters[vote.candidate]) > NODES:
                    self.role[vote.candidate] = Role.LEADER

    @action
    def restart(self) -> None:
        node = choose(*range(NODES))
        self.role[node] = Role.FOLLOWER
        self.supporters[node] = frozenset()
        if FORGETFUL:
            self.voted_for[node] = None

    @always
    def one_leader_per_term(self) -> bool:
        """At most one leader in a term."""
        return not any(
            i != j and self.role[i] is Role.LEADER and self.role[j] is Role.LEADER and self.term[i] == self.term[j]
            for i in range(NODES)
            for j in range(NODES)
        )

    @reachable
    def somebody_leads(self) -> bool:
        return any(role is Role.LEADER for role in self.role)

    @final
    def out_of_terms(self) -> bool:
        return all(term == TERMS for term in self.term)


if __name__ == "__main__":
    run(ForgetfulElection)
