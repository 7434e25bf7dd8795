// expect: states=120 transitions=373 deadlocks=0 verdict=proved
// Readers and writers with a lock that prefers writers: a waiting writer holds back new readers. `atomic` makes a test
// and the following assignment one step; -D RACY=1 omits it, as in code that tests a variable and then sets it.

#ifndef READERS
#define READERS 3
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

byte reading, writing, waiting;

#ifdef RACY
#define TOGETHER
#else
#define TOGETHER atomic
#endif

active [READERS] proctype Reader() {
  do
  :: TOGETHER { writing == 0 && waiting == 0 -> reading++ };
    assert(writing == 0);
    reading--
  od
}

active [WRITERS] proctype Writer() {
  do
  :: waiting++;
    TOGETHER { reading == 0 && writing == 0 -> writing++ };
    waiting--;
    assert(reading == 0 && writing == 1);
    writing--
  od
}
