/* spin: states=1 edges=0 depth=1 deadlocks=0 failures=1 */
byte x;

active proctype P() {
  x == 1
}

never {
  true
}
