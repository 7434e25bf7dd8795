/* spin: states=9 edges=18 depth=6 deadlocks=0 failures=0 */
byte x;

active proctype P() {
  do
  :: x < 2 -> x++
  :: x == 2 -> x = 0
  od
}

active proctype Q() {
  do
  :: x = 1
  od
}

ltl often { [] <> (_last == 1) }
