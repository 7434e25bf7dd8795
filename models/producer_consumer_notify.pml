// expect: states=1130 transitions=1394 deadlocks=12 verdict=refuted
// The buffer of producer_consumer.pml, but a change wakes only one sleeper. A producer may wake a producer, which finds
// the buffer full and sleeps again; the consumer that should have been woken sleeps on, and in the end all do.

#define ONLY_ONE
#include "producer_consumer.pml"
