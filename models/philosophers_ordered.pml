// expect: states=736 transitions=2624 deadlocks=0 verdict=proved
// The philosophers of philosophers.pml, each of whom takes the fork with the smaller number first: the last one
// begins at the right, and the circle in which everybody waits for a neighbour cannot close.

#define ORDERED
#include "philosophers.pml"
