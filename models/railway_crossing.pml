// expect: states=511 transitions=1389 deadlocks=0 verdict=proved
// A railway crossing. Trains tell a controller when they approach and when they have left; it closes the gate for the
// first and opens it after the last. A train enters the crossing only when it is told that the gate is closed. A
// claim, which observes every step of the others, says what must not happen: it reaches its end, a violation, in a
// state with a train in the crossing and the gate not closed. With -D FORGETFUL=1 the controller opens the gate after
// any train.

#ifndef TRACKS
#define TRACKS 3
#endif

mtype = { comes, leaves };
mtype = { open, closing, closed };

chan signal = [0] of { mtype };
chan order = [0] of { mtype };
mtype gate = open;
byte crossing; // trains in the crossing

active [TRACKS] proctype Train() {
end:
  do
  :: signal!comes;
    gate == closed;
    crossing++;
    crossing--;
    signal!leaves
  od
}

active proctype Controller() {
  byte near;

end:
  do
  :: signal?comes ->
    near++;
    if
    :: near == 1 -> order!closed
    :: else
    fi
  :: signal?leaves ->
    near--;
#ifdef FORGETFUL
    order!open
#else
    if
    :: near == 0 -> order!open
    :: else
    fi
#endif
  od
}

active proctype Gate() {
end:
  do
  :: order?closed -> gate = closing; gate = closed
  :: atomic { order?open -> gate = open } // otherwise the next train would see it closed
  od
}

never {
  do
  :: crossing > 0 && gate != closed -> break
  :: else
  od
}
