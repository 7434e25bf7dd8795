/* spin: states=4 edges=3 depth=4 deadlocks=0 failures=1 */
byte n;

proctype Q() {
  n++
}

init {
  run Q();
  run Q();
  _nr_pr == 1
}

never {
  do
  :: _nr_pr < 3
  :: else -> break
  od
}
