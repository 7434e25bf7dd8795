/* Two counters from 0 to 9, four bits each, in one word; event i raises counter i. Event 0 is a fault where both are 7
   and QUIRK is 1, a misfit where QUIRK is 2; where QUIRK is 3, process 1 goes on alone after it, if it can, with event 1.
   Watch 0: both are 5. Watch 1: the first is 9. A counter offers a handshake where it is 9.
   A context is a table of which the first number is the initial state. */
typedef unsigned long long word;
typedef unsigned int event;

static word value(word state, int counter) { return state >> (1 + 4 * counter) & 15; }

void initial(const void* context, word* state) { *state = context ? **(const unsigned int* const*)context : 1; }

static unsigned long long raise(const word* state, int first, int last, word* next, event* events) {
  unsigned int count = 0;
  event flags = 0;
  for (int i = first; i <= last; ++i) {
    if (value(*state, i) == 9) continue;
    next[count] = *state + (2ull << (4 * i));
    events[count] = (event)i;
    if (i == 0 && value(*state, 0) == 7 && value(*state, 1) == 7) {
      if (QUIRK == 1) events[count] |= 1u << 31;
      if (QUIRK == 2) events[count] |= 1u << 30;
    }
    if (i == 0 && QUIRK == 3) events[count] |= 1u << 28;
    flags |= events[count++] & ~1u;
  }
  return (unsigned long long)flags << 32 | count;
}

unsigned long long successors(const void* context, const word* state, word* next, event* events) { return raise(state, 0, 1, next, events); }

unsigned long long alone(const void* context, const word* state, unsigned int holder, word* next, event* events) {
  return raise(state, (int)holder, (int)holder, next, events);
}

unsigned int offers(const void* context, const word* state, unsigned int holder) {
  return holder < 2 ? value(*state, (int)holder) == 9 : value(*state, 0) == 9 || value(*state, 1) == 9;
}

unsigned long long watch(const void* context, const word* state) {
  return (unsigned long long)(value(*state, 0) == 5 && value(*state, 1) == 5) | (unsigned long long)(value(*state, 0) == 9) << 1;
}

unsigned int valid_end(const void* context, const word* state) { return value(*state, 0) == 9 && value(*state, 1) == 9; }
