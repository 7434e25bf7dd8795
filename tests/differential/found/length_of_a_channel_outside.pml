/* spin: fault */
chan c[2] = [1] of { byte };
byte i = 2, x;

init {
  x = len(c[i])
}
