/* spin: states=3594 edges=6452 depth=28 deadlocks=0 failures=1 */
byte x;
inline swap(a, b) { byte old; old = a; a = b; b = old }
active [2] proctype P() {
  byte y = 1;
  swap(x, y);
  { byte z = x; x = z + 1 };
  swap(y, x);
  { short z = y; y = z + 1 };
  assert(x < 3)
}
