/* spin: states=12 edges=11 depth=13 deadlocks=0 failures=0 */
chan c = [0] of { byte };
byte y;
active proctype P() {
  { do :: y < 2 -> c!1; y++ od } unless { timeout; y = 3 }
}
active proctype Q() {
  byte got;
  c?got;
  { c?got; c?got } unless { y == 3 }
}
