// expect: states=1023 transitions=3835 deadlocks=1 verdict=refuted
// Dining philosophers. A fork is a channel that holds one message while it lies on the table. Each philosopher takes
// the left fork first: once all have done so, all wait forever. philosophers_ordered.pml shows the remedy.

#ifndef N
#define N 5
#endif

chan fork[N] = [1] of { bit };

#ifdef ORDERED
#define FIRST (_pid == N - 1 -> 0 : _pid)
#define SECOND (_pid == N - 1 -> N - 1 : _pid + 1)
#else
#define FIRST _pid
#define SECOND (_pid + 1) % N
#endif

active [N] proctype Philosopher() {
  fork[_pid]!1;

think:
  fork[FIRST]?1;
  fork[SECOND]?1;

eat:
  fork[SECOND]!1;
  fork[FIRST]!1;
  goto think
}
