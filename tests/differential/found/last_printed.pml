/* spin: states=25 edges=37 depth=6 deadlocks=0 failures=0 */
active proctype Printer() {
  printf("%d\n", _last)
}

active [2] proctype Other() {
  skip
}
