// expect: states=39574 transitions=133884 deadlocks=0 verdict=proved
// Two-phase commit. A coordinator asks everybody for a vote and commits if all say yes; it may crash at any moment
// (`unless`), after any number of its letters have been sent. Participants who have not voted yet may then abort on
// their own. Those who voted yes may not; they wait at `end_in_doubt` for the coordinator to be repaired. That is the
// price of two phases, and the `end` label accepts it. two_phase_commit_impatient.pml has participants who do not wait.

#ifndef N
#define N 3
#endif

mtype = { prepare, yes, no, commit, abort };
mtype outcome[N];
bool crashed; // the coordinator has
chan letters[N] = [2] of { mtype };
chan votes = [N] of { mtype };

inline agree(decision) {
  d_step {
    outcome[_pid] = decision;
    for (i : 0 .. N - 1) {
      assert(outcome[i] == 0 || outcome[i] == decision)
    }
    i = 0
  }
}

active [N] proctype Participant() {
  byte i;
  mtype decision;

  if
  :: letters[_pid]?prepare ->
    if
    :: votes!yes
    :: votes!no -> agree(abort); goto decided
    fi
  :: crashed && empty(letters[_pid]) -> agree(abort); goto decided
  fi;
end_in_doubt:
  if
  :: letters[_pid]?decision -> agree(decision)
#ifdef IMPATIENT
  :: crashed && empty(letters[_pid]) -> agree(abort)
#endif
  fi;
decided:
  skip
}

active proctype Coordinator() {
  byte i;
  mtype vote, decision = commit;

  {
    for (i : 0 .. N - 1) {
      letters[i]!prepare
    }
    for (i : 0 .. N - 1) {
      votes?vote;
      if
      :: vote == no -> decision = abort
      :: else
      fi
    }
    for (i : 0 .. N - 1) {
      letters[i]!decision
    }
  } unless {
    crashed
  }
}

active proctype Fate() {
  crashed = true
}
