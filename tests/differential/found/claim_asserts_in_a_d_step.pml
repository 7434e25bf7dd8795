/* spin: states=5 edges=6 depth=9 deadlocks=0 failures=1 */
byte x;
active proctype P() { x++; x++; x++ }
never {
  do
  :: d_step { x == 2 -> if :: x == 3 -> skip :: else -> assert(x != 2) fi }
  :: true
  od
}
