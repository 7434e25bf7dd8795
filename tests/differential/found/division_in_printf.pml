/* spin: fault */
byte z;

init {
  printf("%d", 1 / z);
  z = 1
}
