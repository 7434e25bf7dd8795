// Nanoseconds per insertion and bytes per state of the sets of visited states, on tables far larger than the caches.
//
//     store_bench [thousands of states] [none|tree|cleary]
//
// Keys come in blocks of 256, three in ten fresh and the others drawn uniformly from all inserted before: the worst
// case for the caches, because a search meets recent states more often. Times are CPU times.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "store/cleary_set.h"
#include "store/plain_set.h"
#include "store/tree_set.h"

namespace {

using namespace scrimp;

/// The i-th state of a family.
enum class Kind {
  scattered,  // all bits random: nothing recurs
  counters,   // the digits of i, four bits each
  halves,     // any of 4096 patterns in the first half of the bits with any of 4096 in the second
};

struct Shape {
  const char* name;
  std::vector<std::uint8_t> bits;
  Kind kind;
};

unsigned total_bits(const Shape& shape) {
  unsigned total = 0;
  for (const unsigned bits : shape.bits) total += bits;
  return total;
}

void set_bits(const Shape& shape, unsigned from, unsigned count, Word value, Word* state) {
  for (std::size_t i = 0; i < shape.bits.size(); ++i) {
    if (from < shape.bits[i]) {
      const unsigned here = std::min(count, shape.bits[i] - from);
      state[i] |= (value & (~Word{0} >> (64 - here))) << from;
      if (here == count) return;
      value >>= here, count -= here, from = 0;
    } else {
      from -= shape.bits[i];
    }
  }
}

void write_state(const Shape& shape, std::uint64_t number, Word* state) {
  static constexpr unsigned radices[] = {5, 7, 3, 11, 6, 13, 4, 9};
  static const BitMixer shuffle(24);
  const unsigned total = total_bits(shape);
  for (std::size_t i = 0; i < shape.bits.size(); ++i) state[i] = 0;
  switch (shape.kind) {
    case Kind::scattered:
      for (unsigned from = 0; from < total; from += 32)
        set_bits(shape, from, std::min(32u, total - from), mix(number * odd_constants[2] + from) >> 32, state);
      break;
    case Kind::counters:
      for (unsigned from = 1, digit = 0; from + 4 <= total; from += 4, digit = (digit + 1) % 8) {
        set_bits(shape, from, 4, number % radices[digit], state);
        number /= radices[digit];
      }
      break;
    case Kind::halves: {
      const Word pair = shuffle(number);
      const Word patterns[2] = {pair & 4095, pair >> 12};
      for (unsigned half = 0; half < 2; ++half)
        for (unsigned from = half * total / 2, stop = (half + 1) * total / 2; from < stop; from += 32)
          set_bits(shape, from, std::min(32u, stop - from), mix(patterns[half] * 2 + half + from * 8192) >> 32, state);
      break;
    }
  }
  state[0] |= 1;
}

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

template <class Set>
void measure(const char* set_name, const Shape& shape, std::uint64_t states) {
  constexpr std::uint32_t block = 256;
  constexpr std::size_t batch = 32 * block;
  const std::uint32_t words = static_cast<std::uint32_t>(shape.bits.size());
  Machine machine{};
  machine.words = words;
  machine.word_bits = shape.bits.data();
  Budget budget(std::uint64_t{16} << 30);
  Set set(machine, budget);
  std::vector<Word> keys(batch * words);
  std::vector<Insertion> results(block);
  std::uint64_t made = 0, inserts = 0, random = 0;
  double spent = 0, slack = 0;
  while (made < states) {
    for (std::size_t i = 0; i < batch; ++i) {
      const Word draw = mix(random += odd_constants[0]);
      const bool is_fresh = made == 0 || scale(draw, 10) < 3;
      write_state(shape, is_fresh ? made++ : scale(mix(draw), made), &keys[i * words]);
    }
    const double begin = processor_seconds();
    for (std::size_t i = 0; i < batch; i += block) set.insert(&keys[i * words], block, results.data());
    spent += processor_seconds() - begin;
    inserts += batch;
    if (made > states / 4) slack = std::max(slack, double(set.bytes()) / double(set.state_bytes()));
  }
  std::printf("%-7s %-13s %6.1f ns %6.2f B/state, held %.2f times that, at worst %.2f, peak %.2f; %llu states\n",
              set_name, shape.name, 1e9 * spent / double(inserts), double(set.state_bytes()) / double(set.size()),
              double(set.bytes()) / double(set.state_bytes()), slack, double(budget.peak()) / double(set.state_bytes()),
              static_cast<unsigned long long>(set.size()));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t states = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5000) * 1000;
  const std::string which = argc > 2 ? argv[2] : "all";
  const auto wanted = [&](const char* name) { return which == "all" || which == name; };
  const Shape one[] = {{"scattered 40", {41}, Kind::scattered},
                       {"counters 40", {41}, Kind::counters},
                       {"halves 40", {41}, Kind::halves},
                       {"halves 60", {61}, Kind::halves},
                       {"scattered 63", {64}, Kind::scattered}};
  const Shape two[] = {{"halves 2", {60, 50}, Kind::halves}};
  const Shape more[] = {{"halves 3", {60, 60, 60}, Kind::halves}, {"halves 5", {60, 60, 60, 60, 60}, Kind::halves}};
  if (wanted("none")) {
    for (const Shape& shape : one) measure<PlainSet<1>>("none", shape, states);
    for (const Shape& shape : two) measure<PlainSet<2>>("none", shape, states);
    for (const Shape& shape : more) measure<PlainSet<0>>("none", shape, states);
  }
  if (wanted("tree")) {
    for (const Shape& shape : two) measure<TreeSet<2>>("tree", shape, states);
    for (const Shape& shape : more) measure<TreeSet<0>>("tree", shape, states);
  }
  if (wanted("cleary")) {
    for (const Shape& shape : one) measure<ClearySet<1>>("cleary", shape, states);
    for (const Shape& shape : two) measure<ClearySet<2>>("cleary", shape, states);
    for (const Shape& shape : more) measure<ClearySet<0>>("cleary", shape, states);
  }
}
