// expect: states=98165 transitions=354325 deadlocks=0 verdict=refuted
// Paxos (see paxos.pml) with acceptors who compare a proposal with what they have accepted instead of with what they
// have promised. An old proposal then comes through after a new ballot has been told that nothing was accepted yet,
// and both values are chosen.

#define CARELESS
#include "paxos.pml"
