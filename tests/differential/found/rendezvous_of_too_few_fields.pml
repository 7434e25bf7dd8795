/* spin: states=4 edges=3 depth=4 deadlocks=0 failures=1 */
chan c = [0] of { byte, byte };
byte x;

active proctype P() {
  c!1
}

active proctype Q() {
  c?x
}
