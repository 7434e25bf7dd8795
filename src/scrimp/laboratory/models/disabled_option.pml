chan q = [1] of { byte };

active proctype P() {
  byte x;
  if
  :: x = 1
  :: q?0 -> assert(false)
  fi
}

active proctype Q() { q!0 }
