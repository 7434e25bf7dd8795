/* spin: states=23 edges=32 depth=12 deadlocks=0 failures=0 */
byte x;

active proctype P() {
again:
  x++;
  if
  :: x < 3 -> back: goto again
  :: else -> skip
  fi
}

active proctype Q() {
  do
  :: x == 2 -> break
  :: x == 3 -> break
  od
}

ltl returns { <> P@back }
