/* spin: states=10 edges=9 depth=18 deadlocks=0 failures=1 */
byte x;
active proctype P() priority 2 provided (x == 2) { x = 3; x = 2 }
active proctype Q() { x = 1; x = 2; x == 3; x = 2; x = 4; x = 8 }
never {
  do
  :: x == 8 -> break
  :: else
  od
}
