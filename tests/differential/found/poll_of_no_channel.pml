/* spin: fault */
chan c;
byte x;

init {
  if
  :: c?[1] -> x = 1
  :: x = 2
  fi
}
