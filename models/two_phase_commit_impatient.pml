// expect: states=84178 transitions=315339 deadlocks=0 verdict=refuted
// The protocol of two_phase_commit.pml with participants who, having voted yes, do not wait for a coordinator that
// has crashed but abort. If it crashed after it had written to one of them to commit, the two disagree.

#define IMPATIENT
#include "two_phase_commit.pml"
