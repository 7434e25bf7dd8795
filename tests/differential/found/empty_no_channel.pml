/* spin: fault */
chan c;
byte x;

init {
  if
  :: empty(c) -> x = 1
  :: nempty(c) -> x = 2
  :: full(c) -> x = 3
  :: nfull(c) -> x = 4
  fi
}
