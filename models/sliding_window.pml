// expect: states=2780 transitions=10920 deadlocks=0 verdict=proved
// A sliding window with selective repeat. The sender keeps up to WINDOW messages in flight and may repeat any of them;
// the receiver accepts them in any order, keeps those that come early, and delivers in order. Both channels lose
// messages. Sequence numbers are taken modulo MODULUS, and a window may be at most half of that: with -D WINDOW=3 the
// receiver mistakes the repetition of an old message for a new one, and its assertion fails.

#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef MODULUS
#define MODULUS 4
#endif
#define CONTENTS (MODULUS + 1) // differs from the number of sequence numbers, so that a mix-up shows

chan data = [1] of { byte, byte };
chan answers = [1] of { byte };

active proctype Sender() {
  byte first;    // sequence number of the oldest unacknowledged message
  byte contents; // its contents
  byte ready;    // number of messages from there on that may be in flight
  bool answered[WINDOW];
  byte number, i;

  do
  :: ready < WINDOW -> ready++
  :: atomic {
      select (i : 0 .. WINDOW - 1);
      if
      :: i < ready && !answered[i] ->
        if
        :: data!(first + i) % MODULUS,(contents + i) % CONTENTS
        :: skip // lost
        fi
      :: else
      fi;
      i = 0
    }
  :: d_step {
      answers?number ->
      i = (number + MODULUS - first) % MODULUS;
      if
      :: i < ready -> answered[i] = true
      :: else // an acknowledgement of a message that left the window
      fi;
      number = 0;
      i = 0
    }
  :: d_step {
      answered[0] ->
      for (i : 0 .. WINDOW - 2) {
        answered[i] = answered[i + 1]
      }
      answered[WINDOW - 1] = false;
      i = 0;
      first = (first + 1) % MODULUS;
      contents = (contents + 1) % CONTENTS;
      ready--
    }
  od
}

inline deliver() {
  assert(kept[0] == expected);
  for (i : 0 .. WINDOW - 2) {
    came[i] = came[i + 1];
    kept[i] = kept[i + 1]
  }
  came[WINDOW - 1] = false;
  kept[WINDOW - 1] = 0;
  wanted = (wanted + 1) % MODULUS;
  expected = (expected + 1) % CONTENTS
}

active proctype Receiver() {
  byte wanted;   // sequence number of the next message to be delivered
  byte expected; // its contents
  bool came[WINDOW];
  byte kept[WINDOW];
  byte number, contents, i;

  do
  :: atomic {
      data?number,contents ->
      i = (number + MODULUS - wanted) % MODULUS;
      if
      :: i < WINDOW -> came[i] = true; kept[i] = contents
      :: else // delivered before; the acknowledgement was lost
      fi;
      do
      :: came[0] -> deliver()
      :: else -> break
      od;
      if
      :: answers!number
      :: skip // lost
      fi;
      number = 0;
      contents = 0;
      i = 0
    }
  od
}
