// expect: states=737 transitions=1880 deadlocks=0 verdict=proved
// Dijkstra's self-stabilising token ring. Every process sees the number of its left neighbour. The first may move if
// the two are equal, and increments; any other may move if they differ, and copies. A process that can move holds a
// token. Whatever the initial numbers, and `init` tries all, there is always a token, moves never create a new one, and
// a ring with exactly one token keeps exactly one forever.

#ifndef N
#define N 4
#endif
#ifndef NUMBERS
#define NUMBERS N
#endif

byte number[N];

#define MAY_MOVE(i) (i == 0 -> number[0] == number[N - 1] : number[i] != number[i - 1])

inline count_tokens(tokens) {
  tokens = 0;
  for (i : 0 .. N - 1) {
    tokens = tokens + MAY_MOVE(i)
  }
  i = 0
}

proctype Node(byte me) {
  byte before, after, i;

  do
  :: d_step {
      MAY_MOVE(me) ->
      count_tokens(before);
      number[me] = (me == 0 -> (number[0] + 1) % NUMBERS : number[me - 1]);
      count_tokens(after);
      assert(1 <= after && after <= before);
      before = 0;
      after = 0
    }
  od
}

init {
  byte i, any;

  atomic {
    for (i : 0 .. N - 1) {
      select (any : 0 .. NUMBERS - 1);
      number[i] = any;
      run Node(i)
    }
  }
}
