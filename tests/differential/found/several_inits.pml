/* spin: states=38 edges=64 depth=9 deadlocks=1 failures=0 */
byte x;
init { x++; x == 3 }
active proctype P() { _nr_pr == 3 -> x = x + 2 }
init { x = x + _pid; x++ }
