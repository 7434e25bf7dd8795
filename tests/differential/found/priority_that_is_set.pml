/* spin: states=135 edges=195 depth=20 deadlocks=0 failures=0 */
byte x;
proctype R(byte n) { x = n; _priority = 2; x = x + get_priority(0) }
init priority 3 {
  run R(1) priority 3;
  run R(2) priority 3;
  x = 5;
  set_priority(1, 5);
  assert(_priority == 3 && get_priority(7) == 0);
  _nr_pr == 1;
  run R(3)
}
