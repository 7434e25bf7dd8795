/* spin: states=3 edges=3 depth=2 deadlocks=0 failures=0 */
bit a[4];

active proctype P() {
  do
  :: a[0] = (a[0] -> 3 : 2)
  od
}
