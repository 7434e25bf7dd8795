/* spin: fault */
chan c = [1] of { chan };
byte x;

active proctype Q() {
  chan e;
  c?e;
  x == 1;
  _nr_pr == 1;
  e!7;
  x = 2
}

active proctype P() {
  chan mine = [1] of { byte };
  c!mine;
  x = 1
}
