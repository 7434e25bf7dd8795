/* spin: states=10 edges=9 depth=11 deadlocks=0 failures=0 */
byte x;
active proctype P() priority 2 { x == 2; x = 3; x == 5; x = 6 }
active proctype Q() { atomic { x = 1; x = 2; x = 4; x = 5; x = 7 } }
