/* HGP92, section 3.2, protocol 2: N = 5 independent processes, each cycling through M = 10 local states. */
proctype Process() {
  byte x;
  do :: x = (x + 1) % 10 od
}

init { atomic { run Process(); run Process(); run Process(); run Process(); run Process() } }
