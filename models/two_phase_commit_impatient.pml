// expect: states=84178 transitions=315339 deadlocks=0 verdict=refuted
// The protocol of two_phase_commit.pml with participants who voted yes but do not wait for a crashed coordinator, and
// abort. If it crashed after telling one of them to commit, two participants disagree.

#define IMPATIENT
#include "two_phase_commit.pml"
