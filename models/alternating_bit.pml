// expect: states=1764 transitions=5750 deadlocks=0 verdict=proved
// The alternating-bit protocol. Messages and acknowledgements travel through channels from which a thief may take the
// oldest. The sender's timer may run out at any moment, even too early; with -D PATIENT=1 it is Promela's `timeout`,
// true only if nothing else in the whole system can move. Only the receiver's assertion looks at the contents: one bit
// distinguishes a message from a retransmission.

#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifdef PATIENT
#define TIMER timeout
#else
#define TIMER true
#endif
#define CONTENTS 4

chan forth = [CAPACITY] of { byte, bit };
chan back = [CAPACITY] of { bit };

active proctype Sender() {
  byte contents;
  bit mine, answered;

end:
  do
  :: forth!contents,mine ->
    do
    :: back?answered ->
      if
      :: answered == mine -> contents = (contents + 1) % CONTENTS; mine = 1 - mine; break
      :: else
      fi
    :: TIMER -> break
    od
  od
}

active proctype Receiver() {
  byte contents, wanted;
  bit got, awaited;

end:
  do
  :: forth?contents,got ->
    if
    :: got == awaited ->
      assert(contents == wanted);
      wanted = (wanted + 1) % CONTENTS;
      awaited = 1 - awaited
    :: else // a repetition: the acknowledgement was lost
    fi;
    back!got
  od
}

active proctype Thief() {
end:
  do
  :: forth?_,_
  :: back?_
  od
}
