/* HGP92, section 3.2, protocol 1: N = 5 independent processes, each traversing M = 10 local states, without cycles.
   The tenth state is not left, so that no process dies. */
proctype Process() {
  byte x;
  x = 1; x = 2; x = 3; x = 4; x = 5; x = 6; x = 7; x = 8; x = 9;
end: false
}

init { atomic { run Process(); run Process(); run Process(); run Process(); run Process() } }
