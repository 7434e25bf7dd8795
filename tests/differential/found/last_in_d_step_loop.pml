/* spin: states=9 edges=10 depth=4 deadlocks=0 failures=0 */
byte g1 = 1;
byte g2[3];
active proctype P0() {
  g1 = 0;
}
active proctype P1() {
  d_step {
    byte i15;
    for (i15 in g2) {
      g1 = _last;
    };
  };
}
