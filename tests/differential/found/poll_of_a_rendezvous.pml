/* spin: fault */
chan c = [0] of { byte };
byte x;

active proctype P() {
  if
  :: c?[1] -> x = 1
  :: x = 2
  fi
}

active proctype Q() {
  c!1
}
