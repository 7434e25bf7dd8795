// expect: states=51596 transitions=146376 deadlocks=0 verdict=proved
// Peterson's algorithm for N processes: N - 1 waiting rooms, each of which holds back at least one of those who
// enter it, the last to arrive. A process cannot test several variables in one step, so it looks at the others one
// by one.

#ifndef N
#define N 3
#endif

byte room[N];   // the room that a process has reached, 0 for none
byte latest[N]; // the last process to enter a room
byte critical;

active [N] proctype Process() {
  byte r, other;

  do
  :: for (r : 1 .. N - 1) {
      room[_pid] = r;
      latest[r] = _pid;
      for (other : 0 .. N - 1) {
        other == _pid || room[other] < r || latest[r] != _pid
      }
    }
    critical++;
    assert(critical == 1);
    critical--;
    room[_pid] = 0
  od
}
