/* spin: states=1 edges=0 depth=0 deadlocks=0 failures=0 */
chan c = [0] of { byte };

active proctype P() {
  c!1
}

never {
  false
}
