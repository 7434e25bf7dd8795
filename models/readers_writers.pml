// expect: states=120 transitions=373 deadlocks=0 verdict=proved
// Readers and writers under a lock that prefers writers: who waits to write holds back new readers. `atomic` makes a
// test and what follows from it one step; -D RACY=1 leaves it out, as one does who tests a variable and then sets it.

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
