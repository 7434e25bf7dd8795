/* spin: states=1 edges=0 depth=0 deadlocks=0 failures=0 */
byte x;

active proctype P() {
  x = 1;
  x = 2
}

never {
  x == 1 -> x == 2
}
