/* Two counters from 0 to 9, four bits each, in one word; event i raises counter i. Event 0 is a fault where both are 7
   and QUIRK is 1, a misfit where QUIRK is 2. Watch 0: both are 5. Watch 1: the first is 9. */
typedef unsigned long long word;
typedef unsigned int event;

static word value(word state, int counter) { return state >> (1 + 4 * counter) & 15; }

void initial(word* state) { *state = 1; }

unsigned long long successors(const word* state, word* next, event* events) {
  unsigned int count = 0;
  event flags = 0;
  for (int i = 0; i < 2; ++i) {
    if (value(*state, i) == 9) continue;
    next[count] = *state + (2ull << (4 * i));
    events[count] = (event)i;
    if (i == 0 && value(*state, 0) == 7 && value(*state, 1) == 7) {
      if (QUIRK == 1) events[count] |= 1u << 31;
      if (QUIRK == 2) events[count] |= 1u << 30;
    }
    flags |= events[count++] & 3u << 30;
  }
  return (unsigned long long)flags << 32 | count;
}

unsigned long long watch(const word* state) {
  return (unsigned long long)(value(*state, 0) == 5 && value(*state, 1) == 5) | (unsigned long long)(value(*state, 0) == 9) << 1;
}

unsigned int valid_end(const word* state) { return value(*state, 0) == 9 && value(*state, 1) == 9; }
