/* spin: states=89 edges=196 depth=14 deadlocks=0 failures=0 */
byte done;
active proctype P() {
  byte i;
  do
  :: i < 3 -> i++
  :: i -> goto done
  od;
done:
  i = 0
}
init { byte x = 3; goto Q; skip; Q: run Q(); assert(x == 3) }
proctype Q() { goto x; skip; x: skip }
