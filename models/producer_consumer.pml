// expect: states=620 transitions=808 deadlocks=0 verdict=proved
// Producers and consumers around a bounded buffer, with one lock and one queue of sleeping threads, as in Java. A
// thread that finds the buffer full (or empty) sleeps; a thread that changes it wakes all sleepers, and each looks
// again. A thread sleeps as long as its number is in the queue. producer_consumer_notify.pml wakes only one.

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif

bool locked;
chan sleepers = [PRODUCERS + CONSUMERS] of { pid };
chan buffer = [CAPACITY] of { pid };

inline lock() {
  atomic { !locked -> locked = true }
}

inline unlock() {
  locked = false
}

inline sleep() {
  atomic { sleepers!_pid; locked = false };
  atomic { !sleepers??[eval(_pid)] && !locked -> locked = true }
}

inline wake() {
  atomic {
#ifdef ONLY_ONE
    if
    :: sleepers?_
    :: empty(sleepers)
    fi
#else
    do
    :: sleepers?_
    :: empty(sleepers) -> break
    od
#endif
  }
}

active [PRODUCERS] proctype Producer() {
  do
  :: lock();
    do
    :: full(buffer) -> sleep()
    :: nfull(buffer) -> break
    od;
    buffer!_pid;
    wake();
    unlock()
  od
}

active [CONSUMERS] proctype Consumer() {
  pid producer;

  do
  :: lock();
    do
    :: empty(buffer) -> sleep()
    :: nempty(buffer) -> break
    od;
    buffer?producer;
    assert(producer < PRODUCERS);
    producer = 0;
    wake();
    unlock()
  od
}
