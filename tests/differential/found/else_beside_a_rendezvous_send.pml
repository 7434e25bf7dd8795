/* spin: states=4 edges=3 depth=4 deadlocks=0 failures=0 */
chan c = [0] of { byte };
byte x;

active proctype P() {
  if
  :: c!1
  :: else -> x = 1
  fi
}

active proctype Q() {
  c?1
}
