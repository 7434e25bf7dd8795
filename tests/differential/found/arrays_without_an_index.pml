/* spin: states=72 edges=113 depth=21 deadlocks=0 failures=0 */
typedef T { byte f[2]; byte g }
T t[2], u;
byte e[3] = { 5, 6, 7 };
byte list[4], ln = 1, first = e;
chan c[2] = [2] of { byte, byte };
chan d;
proctype Q(byte x) { assert(x == 5) }
init {
  byte mine[3] = { 8, 9, 10 };
  byte r[2], q;
  list[ln] = e;
  assert(list[1] == 5 && first == 5);
  run Q(e);
  c!e,mine;
  assert(len(c) == 1 && len(c[0]) == 1 && empty(c[1]) && c?[eval(e),8]);
  d = c;
  d?r,q;
  assert(r[0] == 5 && r[1] == 0 && q == 8);
  e++;
  assert(e == 6 && e[0] == 6 && e[1] == 6);
  list = e;
  u.f = 3;
  t.g = 4;
  t[1].f = 6;
  assert(u.f[0] == 3 && t[0].g == 4 && t[1].f[0] == 6 && t[1].f[1] == 0);
  select (r : 0 .. 2);
  if :: r -> list[r] = mine :: else -> printf("%d", e) fi
}
