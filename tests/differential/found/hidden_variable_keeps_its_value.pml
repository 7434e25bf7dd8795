/* spin: states=4 edges=3 depth=3 deadlocks=0 failures=0 */
hidden byte x;

init {
  x = 1;
  assert(x == 1)
}
