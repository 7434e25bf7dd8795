// expect: states=247565 transitions=485103 deadlocks=0 verdict=refuted
// A lock-free stack (Treiber's) that reuses its nodes. `pop` reads the top and the node below it, then replaces the one
// by the other if the top has not changed. But the same node on top does not mean that nothing happened: others may
// have popped it, popped the one below, and pushed the first again (A, B, A). The compare-and-swap succeeds, and a node
// that another process holds is on the stack. lock_free_stack_tagged.pml counts the changes of the top.

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef NODES
#define NODES 2
#endif
#define NONE 0

typedef Pointer {
  byte node; // 1 .. NODES, or NONE
  byte changes
}

Pointer top;
byte below[NODES + 1];
bool in_hand[NODES + 1];

#ifdef TAGGED
#define IS_STILL(pointer) (top.node == pointer.node && top.changes == pointer.changes)
#define CHANGED top.changes++
#else
#define IS_STILL(pointer) (top.node == pointer.node)
#define CHANGED skip
#endif

inline read_top() {
  d_step { seen.node = top.node; seen.changes = top.changes }
}

inline compare_and_swap(new) {
  d_step {
    swapped = IS_STILL(seen);
    if
    :: swapped -> top.node = new; CHANGED
    :: else
    fi
  }
}

inline pop(mine) {
  do
  :: read_top();
    next = below[seen.node];
    if
    :: seen.node == NONE -> break
    :: else -> compare_and_swap(next)
    fi;
    if
    :: swapped -> break
    :: else
    fi
  od;
  atomic {
    mine = seen.node;
    assert(!in_hand[mine]);
    in_hand[mine] = (mine != NONE);
    forget()
  }
}

inline push(mine) {
  in_hand[mine] = false;
  do
  :: mine == NONE -> break
  :: else ->
    read_top();
    below[mine] = seen.node;
    compare_and_swap(mine);
    if
    :: swapped -> break
    :: else
    fi
  od;
  atomic { mine = NONE; forget() }
}

inline forget() {
  seen.node = NONE;
  seen.changes = 0;
  next = NONE;
  swapped = false
}

proctype Thread() {
  Pointer seen;
  byte one, another, next, round;
  bool swapped;

  for (round : 1 .. ROUNDS) {
    pop(one);
    pop(another);
    push(one);
    push(another)
  }
}

init {
  byte i;

  atomic {
    for (i : 1 .. NODES) {
      below[i] = i - 1
    }
    top.node = NODES;
    for (i : 1 .. THREADS) {
      run Thread()
    }
  }
}
