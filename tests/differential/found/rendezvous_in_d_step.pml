/* spin: fault */
chan c = [0] of { byte };

active proctype P() {
  d_step {
    c!0
  }
}
