/* spin: states=42 edges=61 depth=18 deadlocks=0 failures=0 */
byte x;
active [2] proctype P() priority 2 { do :: x < 4 -> x++ :: else -> break od }
active proctype Q() { x = 0; x = 1 }
active proctype R() priority 3 { d_step { x == 4; x = 5; x = 6 } x = 7 }
