/* spin: states=44 edges=87 depth=13 deadlocks=0 failures=0 */
byte x;
proctype P(byte n) {
  byte y;
  if
  :: n > 0 -> y = run P(n - 1) + 1; assert(y > 1)
  :: else
  fi
}
init { x = 3 - run P(2) * 2; assert(x == 1) }
