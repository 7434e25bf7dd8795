// expect: states=165161 transitions=459353 deadlocks=0 verdict=proved
// How threads share a breadth-first search: engine/search/shards/. A level is searched in rounds, and a round has three
// phases. In `expand`, workers take pieces of the level and put their successors into boxes; in `settle`, they take
// shards and store the states in the boxes that belong to them, in the order of the pieces, and mark those that are
// new; in `gather`, they take pieces again and write their new states to the next level. No phase begins before all
// workers have left the one before. The leader, which is a worker as well, sets up a phase and raises the generation,
// for which the helpers wait; then it waits until no helper is busy. There are no locks. Steps are sequentially
// consistent here, so the model says nothing about memory orders.
//
// There is one table for all shards, with linear probing; a shard is a section of it. A state whose probe would leave
// its section is left undecided, and stored by the leader after `settle`.
//
// The workers search the small graph below. No state may be lost or stored twice, the levels must be those of a search
// by one thread, state by state, no item of a phase may be omitted or taken twice, no worker may miss a generation or
// work in a phase that is over. Each of these mistakes violates one of that:
//
//   NO_WAIT        the leader does not wait for the helpers at the end of a phase
//   HASTY_SETTLE   it does not wait for them between `expand` and `settle`
//   LATE_ITEMS     it resets the number of the next item after raising the generation
//   LATE_BUSY      it sets the number of busy helpers after raising the generation
//   SHARED_SHARDS  workers settle pieces instead of shards, so that two may store states of the same shard
//   NO_SECTIONS    a probe goes on in the section of the next shard, which another worker may be using
//   NO_LATE        states that were left undecided are taken for known ones
//   ANY_ORDER      new states are appended to the next level by the first worker that has one
//   EARLY_END      the search ends after a round without new states, not after such a level

#ifndef HELPERS
#define HELPERS 2
#endif
#define SHARDS 2
#define ROUND 2 // pieces of a round; a piece is a single state of the level
#define DEGREE 2
#define STATES 7

// States are numbered in the order in which one thread finds them, except that it finds 4 before 3. State 4 is found
// from two pieces of a round; of the round after that, the first half of a level, every successor is known.
#define TARGET(s, first) \
  (s == 0 -> (first -> 1 : 2) : (s == 1 -> (first -> 4 : 3) : (s == 2 -> (first -> 4 : 5) : \
  (s == 3 -> (first -> 0 : 1) : (s == 4 -> (first -> 3 : 2) : (s == 5 -> (first -> 0 : 6) : (first -> 6 : 0)))))))
#define FOUND_AT(place) (place == 3 -> 4 : (place == 4 -> 3 : place))
#define SHARD(s) (s % SHARDS)

// The table. Four states belong to the first shard, whose section has two places.
#define PLACES 7
#define SECTION_END(shard) (shard == 0 -> 2 : PLACES)
#define HOME(s) (s % SHARDS == 0 -> 0 : 2)

#define BOXES (ROUND * DEGREE) // room for each successor of each piece

mtype = { expand, settle, gather, none };
mtype = { is_known, is_new, is_undecided };

// The barrier.
mtype phase = none;
byte generation;
byte busy;  // helpers that have not left the phase
byte items; // of the phase: pieces or shards
byte next;  // the first item that nobody has taken

// The search.
byte log[STATES]; // the levels, one after the other
byte length = 1;  // of the log; it begins with the initial state
byte begin;       // of the round, in the log
byte pieces;
byte box[BOXES];
mtype result[BOXES];
byte place[ROUND];  // where the new states of a piece go, in the log
byte table[PLACES]; // numbers of states plus one

// For the properties alone.
bool in_phase;
bool is_taken[ROUND];

inline work() {
  do
  :: d_step { item = next; next++ }
    if
    :: item >= items -> break
    :: else -> take();
      if
      :: phase == expand -> expand_piece()
      :: phase == settle -> settle_shard()
      :: phase == gather -> gather_piece()
      fi;
      finish()
    fi
  od;
  item = 0
}

inline take() {
  d_step { assert(in_phase && !is_taken[item]); is_taken[item] = true }
}

inline finish() {
  d_step { assert(in_phase && generation == seen); entry = 0 }
}

inline expand_piece() {
  box[item * DEGREE] = TARGET(log[begin + item], true);
  box[item * DEGREE + 1] = TARGET(log[begin + item], false)
}

#ifdef SHARED_SHARDS
#define IS_MINE (entry / DEGREE == item)
#else
#define IS_MINE (SHARD(box[entry]) == item)
#endif

#ifdef NO_SECTIONS
#define LAST PLACES
#else
#define LAST SECTION_END(SHARD(box[entry]))
#endif

inline settle_shard() {
  do
  :: entry == pieces * DEGREE -> break
  :: entry < pieces * DEGREE && !IS_MINE -> entry++
  :: entry < pieces * DEGREE && IS_MINE -> store(LAST); entry++
  od
}

// Looking at a place and writing to it are two steps.
inline store(last) {
  at = HOME(box[entry]);
  do
  :: at == last -> result[entry] = is_undecided; break
  :: at < last && table[at] == box[entry] + 1 -> result[entry] = is_known; break
  :: at < last && table[at] != 0 && table[at] != box[entry] + 1 -> at++
  :: at < last && table[at] == 0 ->
    d_step { assert(table[at] == 0); table[at] = box[entry] + 1; result[entry] = is_new }
    break
  od;
  at = 0
}

// The leader alone.
inline settle_late() {
  do
  :: entry == pieces * DEGREE -> break
  :: entry < pieces * DEGREE && result[entry] != is_undecided -> entry++
#ifdef NO_LATE
  :: entry < pieces * DEGREE && result[entry] == is_undecided -> entry++
#else
  :: entry < pieces * DEGREE && result[entry] == is_undecided -> store(PLACES); entry++
#endif
  od;
  entry = 0
}

#ifdef ANY_ORDER
#define PLACE length
#else
#define PLACE place[item]
#endif

inline gather_piece() {
  do
  :: entry == DEGREE -> break
  :: entry < DEGREE && result[item * DEGREE + entry] != is_new -> entry++
  :: entry < DEGREE && result[item * DEGREE + entry] == is_new ->
    d_step { log[PLACE] = box[item * DEGREE + entry]; PLACE++; entry++ }
  od
}

inline share(what, number) {
  d_step {
    phase = what;
#ifndef LATE_ITEMS
    items = number;
    next = 0;
#endif
#ifndef LATE_BUSY
    busy = HELPERS;
#endif
    in_phase = true;
    is_taken[0] = false;
    is_taken[1] = false
  }
  generation++;
  seen = generation;
#ifdef LATE_ITEMS
  items = number;
  next = 0;
#endif
#ifdef LATE_BUSY
  busy = HELPERS;
#endif
  work();
  leave()
}

inline leave() {
#ifndef NO_WAIT
#ifdef HASTY_SETTLE
  busy == 0 || phase == expand;
#else
  busy == 0;
#endif
#endif
  d_step { assert(is_taken[0] && (items == 1 || is_taken[1])); in_phase = false }
}

#define NEW(entry) (result[entry] == is_new)

// Where the new states of each piece go: the leader adds up how many there are.
inline place_pieces() {
  d_step {
    place[0] = length;
    place[1] = length + NEW(0) + NEW(1);
    found = NEW(0) + NEW(1) + (pieces == 1 -> 0 : NEW(2) + NEW(3))
  }
}

inline check_log() {
  d_step {
#ifndef ANY_ORDER
    length = length + found;
#endif
    do
    :: checked < length -> assert(log[checked] == FOUND_AT(checked)); checked++
    :: else -> break
    od
  }
}

active proctype Leader() {
  byte seen, item, entry, at, found;
  byte end = 1;     // of the level, in the log
  byte checked = 1; // how much of the log has been compared with that of one thread

  table[HOME(0)] = 1;
  do
  :: begin < end ->
    pieces = (end - begin < ROUND -> end - begin : ROUND);
    share(expand, pieces);
    share(settle, SHARDS);
    settle_late();
    place_pieces();
    share(gather, pieces);
    check_log();
    begin = begin + pieces
#ifdef EARLY_END
    ;
    if
    :: found == 0 -> break
    :: else
    fi
#endif
  :: begin == end && end < length -> end = length
  :: begin == end && end == length -> break
  od;
  assert(length == STATES);
  phase = none;
  generation++
}

active [HELPERS] proctype Helper() {
  byte seen, item, entry, at;

  do
  :: generation != seen ->
    d_step { assert(generation == seen + 1); seen = generation }
    if
    :: phase == none -> break
    :: else
    fi;
    work();
    d_step { assert(busy > 0); busy-- }
  od
}
