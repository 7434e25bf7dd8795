/* spin: states=24 edges=30 depth=15 deadlocks=1 failures=0 */
typedef Ends { chan in; byte number }
typedef Pair { Ends one; Ends other }
chan c = [1] of { byte };
chan d = [0] of { byte };
Pair shared;
proctype P(byte before; Pair pair; byte after) {
  pair.one.in!before + pair.one.number;
  pair.other.in?eval(pair.other.number + after);
  pair.one.number = 7
}
init {
  byte got;
  shared.one.in = c;
  shared.one.number = 2;
  shared.other.in = d;
  shared.other.number = 3;
  run P(1, shared, 4);
  c?got;
  assert(got == 3);
  d!7;
  run P(2, shared, 5);
  assert(shared.one.number == 2)
}
