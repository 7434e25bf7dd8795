// expect: states=7303 transitions=21468 deadlocks=0 verdict=proved
// The sieve of Eratosthenes as a pipeline of processes. The first number that reaches a filter is a prime; the filter
// passes on the numbers that it does not divide to the next filter, which it starts when the first of them arrives. The
// number of processes is not bounded by the text. Each filter has its own channel, which the next one receives as an
// argument.

#ifndef MOST
#define MOST 13
#endif
#define STOP 0

byte largest; // the largest prime so far

proctype Filter(chan input) {
  chan output = [1] of { byte };
  byte prime, number;
  bool has_next;

  input?prime;
  d_step {
    assert(prime > largest);
    largest = prime;
    for (number : 2 .. prime - 1) {
      assert(prime % number != 0)
    }
    number = 0
  };
  do
  :: input?number ->
    if
    :: number == STOP -> break
    :: number != STOP && number % prime == 0
    :: else ->
      if
      :: !has_next -> run Filter(output); has_next = true
      :: else
      fi;
      output!number
    fi
  od;
  if
  :: has_next -> output!STOP
  :: else
  fi
}

init {
  chan numbers = [1] of { byte };
  byte i;

  run Filter(numbers);
  for (i : 2 .. MOST) {
    numbers!i
  }
  numbers!STOP;
  _nr_pr == 1 // all filters have ended, the youngest first
}
