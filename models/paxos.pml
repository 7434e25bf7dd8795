// expect: states=89365 transitions=330950 deadlocks=0 verdict=proved
// Paxos for a single decision. Each proposer has one ballot, its number, and its own value. It asks for promises;
// with those of a majority it proposes the value that an acceptor has accepted under the highest ballot, or its
// own if there is none. Every message may be lost: a sender may decide not to send it. A proposer that lacks
// answers waits forever at an `end` label, which is fine: Paxos does not promise to decide, only that once a
// value is decided, no other is. `chosen` and `accepts` belong to no process; they are what an omniscient
// observer sees.

#ifndef PROPOSERS
#define PROPOSERS 2
#endif
#ifndef ACCEPTORS
#define ACCEPTORS 3
#endif
#define MAJORITY (ACCEPTORS / 2 + 1)

mtype = { prepare, accept };
chan requests[ACCEPTORS] = [PROPOSERS] of { mtype, byte, byte }; // ballot, value
chan promises[PROPOSERS] = [ACCEPTORS] of { byte, byte };        // highest ballot accepted, its value

byte accepts[PROPOSERS + 1]; // the number of acceptors that accepted a ballot
byte chosen;                 // the value that a majority has accepted

inline maybe_request(acceptor, kind, value) {
  if
  :: requests[acceptor]!kind,ballot,value
  :: skip // lost
  fi
}

active [PROPOSERS] proctype Proposer() {
  byte ballot = _pid + 1;
  byte value = _pid + 1;
  byte highest, answers, accepted_ballot, accepted_value, i;

  atomic {
    for (i : 0 .. ACCEPTORS - 1) {
      maybe_request(i, prepare, 0)
    }
    i = 0
  }
  for (answers : 1 .. MAJORITY) {
end_waiting:
    d_step {
      promises[_pid]?accepted_ballot,accepted_value ->
      if
      :: accepted_ballot > highest -> highest = accepted_ballot; value = accepted_value
      :: else
      fi;
      accepted_ballot = 0;
      accepted_value = 0
    }
  }
  atomic {
    for (i : 0 .. ACCEPTORS - 1) {
      maybe_request(i, accept, value)
    }
    i = 0
  }
}

inline count_acceptance() {
  accepts[ballot]++;
  if
  :: accepts[ballot] == MAJORITY ->
    assert(chosen == 0 || chosen == value);
    chosen = value
  :: else
  fi
}

active [ACCEPTORS] proctype Acceptor() {
  byte promised, accepted_ballot, accepted_value; // what an acceptor must never forget
  byte ballot, value;

end:
  do
  :: atomic {
      requests[_pid - PROPOSERS]?prepare(ballot, _) ->
      if
      :: ballot > promised ->
        promised = ballot;
        if
        :: promises[ballot - 1]!accepted_ballot,accepted_value
        :: skip // lost
        fi
      :: else
      fi;
      ballot = 0
    }
  :: d_step {
      requests[_pid - PROPOSERS]?accept(ballot, value) ->
      if
#ifdef CARELESS
      :: ballot > accepted_ballot ->
#else
      :: ballot >= promised ->
#endif
        promised = ballot;
        accepted_ballot = ballot;
        accepted_value = value;
        count_acceptance()
      :: else
      fi;
      ballot = 0;
      value = 0
    }
  od
}
