// expect: states=33073 transitions=91224 deadlocks=0 verdict=refuted
// The caches of mesi.pml, except that a cache with a shared line decides before it has the bus that it needs no value
// from memory. Another cache may write first and invalidate the line: the first then has an old value with the
// permission to change it.

#define HASTY
#include "mesi.pml"
