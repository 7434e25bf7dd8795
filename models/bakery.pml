// expect: states=7963 transitions=15331 deadlocks=0 verdict=proved
// Lamport's bakery: draw a number above all others, then wait for everyone with a smaller one. Two processes may draw
// the same number, so the process number breaks ties; and a process must wait for those about to draw, otherwise an
// outdated look at the numbers lets two in (-D NO_DOOR=1). Numbers grow without bound while the bakery is never empty:
// above MOST, nobody enters until it is empty.

#ifndef N
#define N 2
#endif
#ifndef MOST
#define MOST 6
#endif

bool choosing[N];
byte number[N];
byte served;

active [N] proctype Customer() {
  byte i, highest;

  do
  :: choosing[_pid] = true;
    highest = 0;
    for (i : 0 .. N - 1) {
      if
      :: number[i] > highest -> highest = number[i]
      :: else
      fi
    }
    if
    :: highest < MOST -> number[_pid] = highest + 1; choosing[_pid] = false
    :: else -> choosing[_pid] = false; goto later
    fi;
    for (i : 0 .. N - 1) {
#ifndef NO_DOOR
      !choosing[i];
#endif
      number[i] == 0 || number[i] > number[_pid] || (number[i] == number[_pid] && i >= _pid)
    }
    served++;
    assert(served == 1);
    served--;
    number[_pid] = 0;
later:
    skip
  od
}
