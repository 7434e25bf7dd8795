/* spin: fault */
byte a[2];
byte i = 3;

init {
  printf("%d", a[i]);
  i = 1
}
