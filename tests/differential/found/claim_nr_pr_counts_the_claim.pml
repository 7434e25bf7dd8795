/* spin: states=4 edges=4 depth=7 deadlocks=0 failures=1 */
byte x;

active proctype P() {
  x = _nr_pr;
  assert(x == 1)
}

never {
  do
  :: true
  od
}
