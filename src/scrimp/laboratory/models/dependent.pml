/* HGP92, section 3.2, protocol 3: N = 5 completely dependent processes, each traversing M = 10 states, without cycles.
   The tenth state is not left, so that no process dies. */
byte shared;

proctype Process() {
  shared = 0; shared = 0; shared = 0; shared = 0; shared = 0; shared = 0; shared = 0; shared = 0; shared = 0;
end: false
}

init { atomic { run Process(); run Process(); run Process(); run Process(); run Process() } }
