/* spin: states=1 edges=1 depth=0 deadlocks=0 failures=0 */
active proctype P() {
  byte i;
  do
  :: d_step {
       for (i : 0 .. 1) { skip }
       i = 0
     }
  od
}
