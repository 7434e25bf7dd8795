// Nanoseconds per insertion and bytes per state of the visited-state sets, on tables far larger than the caches.
//
//     store_bench [states in thousands] [which]
//
// Keys come in blocks of 256, three in ten fresh and the others drawn evenly from all that were inserted before (the
// worst case for the caches; a search meets recent states more often).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "store/plain_set.h"

namespace {

using namespace scrimp;

struct Shape {
  const char* name;
  std::vector<std::uint8_t> bits;
  bool structured;
};

class Random {
 public:
  std::uint64_t below(std::uint64_t range) { return scale(next(), range); }
  std::uint64_t next() { return mix(state_ += odd_constants[0]); }

 private:
  std::uint64_t state_ = 1;
};

/// The i-th of a family of distinct states: counters in fields of a few bits, or scattered bits.
void write_state(const Shape& shape, std::uint64_t number, Word* state) {
  const std::size_t words = shape.bits.size();
  if (!shape.structured) {
    for (std::size_t i = 0; i < words; ++i) {
      const Word mask = shape.bits[i] == 64 ? ~Word{0} : (Word{1} << shape.bits[i]) - 1;
      state[i] = mix(number * odd_constants[2] + i) & mask;
    }
    state[0] |= 1;
    return;
  }
  static constexpr unsigned radices[] = {5, 7, 3, 11, 6, 13, 4, 9};
  unsigned total = 0;
  for (std::size_t i = 0; i < words; ++i) state[i] = 0, total += shape.bits[i];
  const unsigned fields = total / 5;
  std::size_t word = 0;
  unsigned shift = 1;
  for (unsigned f = 0; number != 0; ++f) {
    // fields are visited with a stride, so that consecutive numbers change words all over the state
    if (shift + 4 > shape.bits[word]) {
      word = (word + 1) % words, shift = word == 0 ? 1 : 0;
      if (f > 4 * fields) std::abort();
    }
    state[word] |= (number % radices[f % 8]) << shift;
    number /= radices[f % 8];
    shift += 4;
    if (f % 2 == 1 && words > 1) word = (word + 1) % words;
  }
  state[0] |= 1;
}

template <class Set>
void measure(const char* set_name, const Shape& shape, std::uint64_t states) {
  const std::uint32_t words = static_cast<std::uint32_t>(shape.bits.size());
  Machine machine{};
  machine.words = words;
  machine.word_bits = shape.bits.data();
  Budget budget(std::uint64_t{16} << 30);
  Set set(machine, budget);
  Random random;
  constexpr std::uint32_t block = 256;
  constexpr std::size_t batch = 4096 * block;
  std::vector<Word> keys(batch * words);
  std::vector<Insertion> results(block);
  std::uint64_t made = 0, inserts = 0;
  double worst_slack = 0;
  std::chrono::nanoseconds spent{0};
  while (made < states) {
    for (std::size_t i = 0; i < batch; ++i) {
      const std::uint64_t number = made == 0 || random.below(10) < 3 ? made++ : random.below(made);
      write_state(shape, number, &keys[i * words]);
    }
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < batch; i += block) set.insert(&keys[i * words], block, results.data());
    spent += std::chrono::steady_clock::now() - begin;
    inserts += batch;
    if (made > states / 4) worst_slack = std::max(worst_slack, double(set.bytes()) / double(set.state_bytes()));
  }
  std::printf("%-8s %-12s %5.1f ns  %5.2f B/state  held/state %.2f (worst %.2f)  peak/held %.2f  %llu states of %llu\n",
              set_name, shape.name, double(spent.count()) / double(inserts),
              double(set.state_bytes()) / double(set.size()), double(set.bytes()) / double(set.state_bytes()),
              worst_slack, double(budget.peak()) / double(budget.held()),
              static_cast<unsigned long long>(set.size()), static_cast<unsigned long long>(made));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t states = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5000) * 1000;
  const std::string which = argc > 2 ? argv[2] : "all";
  const auto wanted = [&](const char* name) { return which == "all" || which == name; };
  const Shape one[] = {{"random 40", {41}, false}, {"fields 40", {41}, true}, {"random 63", {64}, false}, {"fields 60", {61}, true}};
  const Shape two[] = {{"fields 2", {60, 40}, true}};
  const Shape three[] = {{"fields 3", {60, 60, 60}, true}};
  const Shape five[] = {{"fields 5", {60, 60, 60, 60, 60}, true}};
  if (wanted("none")) {
    for (const Shape& shape : one) measure<PlainSet<1>>("none", shape, states);
    for (const Shape& shape : two) measure<PlainSet<2>>("none", shape, states);
    for (const Shape& shape : three) measure<PlainSet<0>>("none", shape, states);
    for (const Shape& shape : five) measure<PlainSet<0>>("none", shape, states);
  }
}
