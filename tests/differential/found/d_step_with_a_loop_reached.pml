/* spin: states=3 edges=2 depth=2 deadlocks=0 failures=0 */
byte x;

active proctype P() {
  byte i;
  d_step {
    x == 0 -> for (i : 0 .. 1) { skip }
    i = 0
  }
}
