// expect: states=18554 transitions=53796 deadlocks=0 verdict=proved
// MESI: caches that keep one line coherent by snooping on a bus. A line is modified (the only copy, memory is stale),
// exclusive (the only copy), shared or invalid. A cache that must inform the others takes the bus, asks each of them by
// rendezvous, and learns whether they have a copy; a cache with a modified line writes it back before it answers. While
// a cache waits for the bus it answers others, and may lose its line: it must decide what it needs the bus for only
// after it has the bus. mesi_hasty.pml decides before.
//
// A write changes a part of the line, so that it needs the latest value, just like a read.

#ifndef N
#define N 3
#endif
#ifndef VALUES
#define VALUES 3
#endif

mtype = { modified, exclusive, shared, invalid };  // of a line
mtype = { read, invalidate, absent, had_a_copy }; // on the bus

chan ask[N] = [0] of { mtype };
chan answer[N] = [0] of { mtype };
bool bus_taken;
byte memory, latest;

inline snoop(request) {
  if
  :: line == modified -> memory = value
  :: else
  fi;
  reply = (line == invalid -> absent : had_a_copy);
  line = (request == invalidate || line == invalid -> invalid : shared);
  value = (line == invalid -> 0 : value)
}

inline ask_the_others(request) {
  found = absent;
  for (i : 0 .. N - 1) {
    if
    :: i == _pid
    :: else ->
      ask[i]!request;
      answer[i]?reply;
      if
      :: reply == had_a_copy -> found = had_a_copy
      :: else
      fi
    fi
  }
  i = 0;
  reply = 0
}

inline use(writes) {
  assert(value == latest);
  if
  :: writes -> latest = (latest + 1) % VALUES; value = latest; line = modified
  :: else
  fi
}

active [N] proctype Cache() {
  mtype line = invalid;
  mtype request, reply, found;
  byte value, i;
  bool writes, upgrade;

idle:
  do
  :: ask[_pid]?request ->
    d_step { snoop(request); request = 0 };
    atomic { answer[_pid]!reply; reply = 0 }
  :: atomic { line != invalid -> use(false) }
  :: atomic { line == modified || line == exclusive -> use(true) }
  :: line == invalid -> writes = false; break
  :: line == invalid || line == shared -> writes = true; break
  od;
#ifdef HASTY
  upgrade = (line == shared);
#endif
  do
  :: ask[_pid]?request ->
    d_step { snoop(request); request = 0 };
    atomic { answer[_pid]!reply; reply = 0 }
  :: atomic { !bus_taken -> bus_taken = true }; break
  od;
#ifndef HASTY
  upgrade = (line == shared);
#endif
  atomic {
    ask_the_others((writes -> invalidate : read));
    if
    :: upgrade // the value was there, only the permission to change it was missing
    :: else -> value = memory
    fi;
    line = (writes || found == absent -> exclusive : shared);
    use(writes);
    writes = false;
    upgrade = false;
    found = 0;
    bus_taken = false;
    goto idle
  }
}
