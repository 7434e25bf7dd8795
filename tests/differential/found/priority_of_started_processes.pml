/* spin: states=182 edges=215 depth=32 deadlocks=0 failures=0 */
byte x;
proctype R(byte n) priority 7 {
  x = x + n;
  if
  :: n > 0 -> run R(n - 1) priority 4
  :: else
  fi;
  x++
}
init { run R(1) priority 3; run R(2); x = 5; run R(0) priority 2 }
