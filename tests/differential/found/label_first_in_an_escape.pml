/* spin: states=3 edges=6 depth=2 deadlocks=0 failures=0 */
byte x = 1;

active proctype P() {
  {
    skip
  } unless {
    end: do
    :: select (x : 1 .. 2)
    od
  }
}
