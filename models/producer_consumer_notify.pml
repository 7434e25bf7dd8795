// expect: states=1130 transitions=1394 deadlocks=12 verdict=refuted
// The buffer of producer_consumer.pml, where who changes it wakes one sleeper only. A producer may wake a producer,
// who finds the buffer full and sleeps again; the consumer whom it should have been sleeps on, and in the end all do.

#define ONLY_ONE
#include "producer_consumer.pml"
