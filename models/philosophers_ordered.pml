// expect: states=736 transitions=2624 deadlocks=0 verdict=proved
// The philosophers of philosophers.pml, but each takes the fork with the smaller number first: the last one starts with
// the right fork, so that there is no cycle in which everybody waits for a neighbour.

#define ORDERED
#include "philosophers.pml"
