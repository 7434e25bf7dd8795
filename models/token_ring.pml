// expect: states=737 transitions=1880 deadlocks=0 verdict=proved
// Dijkstra's self-stabilising token ring. Everybody sees the number of the neighbour at the left. The first may move
// where the two are equal, and counts up; any other where they differ, and copies. To be able to move is to hold a
// token. Whatever the numbers are at first, and `init` tries all, there always is a token, moves never make one more,
// and what began with one token has one for ever.

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
