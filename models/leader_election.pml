// expect: states=9782 transitions=24504 deadlocks=0 verdict=proved
// Leader election in a ring (Chang and Roberts). Every node sends its name to the right and forwards names larger than
// its own. A node whose own name comes back is the leader, and announces it to all. Every ring is tried: `init`
// shuffles the names, in all possible ways, before it starts the nodes.

#ifndef N
#define N 4
#endif

mtype = { candidate, elected };
chan link[N] = [N] of { mtype, byte };
byte leaders;

proctype Node(byte place; byte mine) {
  byte name, leader;

  link[(place + 1) % N]!candidate,mine;
  do
  :: link[place]?candidate(name) ->
    if
    :: name > mine -> link[(place + 1) % N]!candidate,name
    :: name == mine ->
      leaders++;
      assert(leaders == 1 && mine == N);
      link[(place + 1) % N]!elected,mine
    :: else // the smaller name goes no further
    fi
  :: link[place]?elected(leader) ->
    if
    :: leader != mine -> link[(place + 1) % N]!elected,leader
    :: else
    fi;
    break
  od;
  assert(leader == N)
}

init {
  byte names[N];
  byte place, other;

  atomic {
    for (place : 0 .. N - 1) {
      select (other : 0 .. place);
      names[place] = names[other];
      names[other] = place + 1
    }
    for (place : 0 .. N - 1) {
      run Node(place, names[place])
    }
  }
}
