// expect: states=33073 transitions=91224 deadlocks=0 verdict=refuted
// The caches of mesi.pml, except that one with a shared line decides before it has the bus that it needs no value
// from memory. Another may write first, and takes the line away: what is left is an old value with the right to
// change it.

#define HASTY
#include "mesi.pml"
