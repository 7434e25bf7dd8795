/* spin: states=11 edges=13 depth=7 deadlocks=1 failures=0 */
byte x = 3;

proctype P() {
  do
  :: _nr_pr < 4;
     x = run P()
  od
}

init {
  run P()
}
