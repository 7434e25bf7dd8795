/* spin: states=2087 edges=4170 depth=1053 deadlocks=0 failures=1 */
byte x;
active [2] proctype P() {
  do
  :: x < 3 -> x++
  :: x > 0 -> x--
  od
}
never {
T0_init:
  if
  :: x == 3 -> goto accept_S1
  :: true -> goto T0_init
  fi;
accept_S1:
  if
  :: x == 2 -> goto accept_all
  fi;
accept_all:
  skip
}
