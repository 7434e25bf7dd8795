/* spin: states=48 edges=92 depth=37 deadlocks=0 failures=1 */
byte x;
active [2] proctype P() {
  do
  :: x < 5 -> x++
  :: x > 3 -> break
  od
}
never {
T0_init:
  do
  :: atomic { x != 2 && x == 1 -> assert(!(x != 2 && x == 1)) }
  :: x != 2 -> goto T0_S3
  od;
T0_S3:
  do
  :: atomic { x == 1 -> assert(!(x == 1)); assert(x == 1) }
  :: true -> goto T0_S3
  od;
accept_all:
  skip
}
