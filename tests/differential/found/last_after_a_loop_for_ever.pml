/* spin: states=4 edges=6 depth=3 deadlocks=0 failures=0 */
byte x = 2;

active proctype P() {
  x++
}

active proctype Q() {
again:
  atomic {
    goto again
  };
  _last
}
