// expect: states=98165 transitions=354325 deadlocks=0 verdict=refuted
// Paxos (see paxos.pml) with acceptors that compare a proposal with what they have accepted, not with what they have
// promised. So an old proposal can succeed after a new ballot was told that nothing had been accepted yet, and both
// values are chosen.

#define CARELESS
#include "paxos.pml"
