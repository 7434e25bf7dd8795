// expect: states=100779 transitions=196559 deadlocks=0 verdict=proved
// The stack of lock_free_stack.pml, whose top counts how often it was changed: a top that came back is not the same.

#define TAGGED
#include "lock_free_stack.pml"
