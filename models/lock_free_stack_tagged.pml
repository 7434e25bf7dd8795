// expect: states=100779 transitions=196559 deadlocks=0 verdict=proved
// The stack of lock_free_stack.pml with a top that counts its changes: a node that came back to the top is detected.

#define TAGGED
#include "lock_free_stack.pml"
