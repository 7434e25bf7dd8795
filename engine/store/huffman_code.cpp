#include "store/huffman_code.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace scrimp {
namespace {

/// Huffman's algorithm: merges the two rarest nodes until one is left; the length of a byte's code is the depth of its
/// leaf.
CodeLengths huffman_depths(const ByteFrequencies& frequencies) {
  constexpr std::size_t leaves = 256;
  using Node = std::pair<std::uint64_t, std::size_t>;  // frequency and number
  std::priority_queue<Node, std::vector<Node>, std::greater<>> roots;
  for (std::size_t i = 0; i < leaves; ++i) roots.emplace(frequencies[i], i);
  std::array<std::size_t, 2 * leaves - 1> above{};
  std::size_t made = leaves;
  while (roots.size() > 1) {
    const Node rarest = roots.top();
    roots.pop();
    const Node next = roots.top();
    roots.pop();
    above[rarest.second] = above[next.second] = made;
    roots.emplace(rarest.first + next.first, made++);
  }
  std::array<std::uint8_t, 2 * leaves - 1> depths{};
  for (std::size_t node = made - 1; node-- > 0;) depths[node] = static_cast<std::uint8_t>(depths[above[node]] + 1);
  CodeLengths lengths;
  std::copy_n(depths.begin(), leaves, lengths.begin());
  return lengths;
}

std::uint16_t reversed(std::uint16_t bits, unsigned length) {
  std::uint16_t result = 0;
  for (unsigned i = 0; i < length; ++i) result = static_cast<std::uint16_t>(result << 1 | (bits >> i & 1));
  return result;
}

}  // namespace

void count_bytes(const ByteFields& fields, const Word* state, ByteFrequencies& frequencies) {
  std::vector<std::uint8_t> bytes(fields.bytes);
  fields.unpack(state, bytes.data());
  for (const std::uint8_t byte : bytes) ++frequencies[byte];
}

CodeLengths code_lengths(ByteFrequencies frequencies) {
  for (std::uint64_t& frequency : frequencies) frequency = std::max<std::uint64_t>(frequency, 1);
  for (;;) {
    const CodeLengths lengths = huffman_depths(frequencies);
    if (*std::max_element(lengths.begin(), lengths.end()) <= longest_code) return lengths;
    for (std::uint64_t& frequency : frequencies) frequency = frequency / 2 + 1;  // the tree becomes flatter
  }
}

HuffmanCode::HuffmanCode(const CodeLengths& lengths) {
  std::uint16_t next = 0;
  for (unsigned length = 1; length <= longest_code; ++length, next = static_cast<std::uint16_t>(next << 1))
    for (std::size_t byte = 0; byte < codes_.size(); ++byte) {
      if (lengths[byte] != length) continue;
      const std::uint16_t bits = reversed(next++, length);
      codes_[byte] = {bits, static_cast<std::uint8_t>(length)};
      for (std::size_t rest = bits; rest < meanings_.size(); rest += std::size_t{1} << length)
        meanings_[rest] = {static_cast<std::uint8_t>(byte), static_cast<std::uint8_t>(length)};
    }
}

std::size_t HuffmanCode::encode(const std::uint8_t* bytes, std::size_t count, std::uint8_t* code) const {
  const std::uint8_t* const begin = code;
  Word pending = 0;
  unsigned used = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Code next = codes_[bytes[i]];
    pending |= Word{next.bits} << used;
    used += next.length;
    if (used < 32) continue;
    std::memcpy(code, &pending, sizeof pending);
    code += 4;
    pending >>= 32;
    used -= 32;
  }
  std::memcpy(code, &pending, sizeof pending);
  return static_cast<std::size_t>(code - begin) + (used + 7) / 8;
}

std::size_t HuffmanCode::decode(const std::uint8_t* code, std::size_t count, std::uint8_t* bytes) const {
  std::size_t bit = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Word window;
    std::memcpy(&window, code + bit / 8, sizeof window);
    const Meaning meaning = meanings_[window >> bit % 8 & (meanings_.size() - 1)];
    bytes[i] = meaning.byte;
    bit += meaning.length;
  }
  return (bit + 7) / 8;
}

}  // namespace scrimp
