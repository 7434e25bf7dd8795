/* spin: states=4 edges=3 depth=4 deadlocks=0 failures=0 */
chan c = [0] of { byte };
byte x;

active proctype P() {
  c!1
}

active proctype Q() {
  d_step {
    c?1;
    x = 2;
    x = 3
  }
}
