/* spin: states=7 edges=6 depth=4 deadlocks=1 failures=0 */
chan c = [0] of { byte };
byte x;

active proctype P() {
  c!1
}

active proctype Q() {
  if
  :: c?1
  :: else -> x = 1
  fi
}
