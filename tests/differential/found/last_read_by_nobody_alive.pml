/* spin: states=3 edges=6 depth=2 deadlocks=0 failures=0 */
byte x = 1;

active proctype Stopped() provided (_pid) {
  assert(_last)
}

active [2] proctype Runner() {
  do
  :: x = 3
  od
}
