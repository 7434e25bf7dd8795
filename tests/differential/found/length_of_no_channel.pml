/* spin: fault */
chan c;
byte x;

init {
  x = len(c);
  x = 2
}
