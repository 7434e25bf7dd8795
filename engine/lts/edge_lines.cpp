#include "lts/edge_lines.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

namespace scrimp {

namespace {

constexpr std::size_t most_digits = std::numeric_limits<std::uint64_t>::digits10 + 1;

template <class Number>
Number at(const std::byte* column, std::size_t place) {
  Number number;
  std::memcpy(&number, column + place * sizeof number, sizeof number);
  return number;
}

char* put(const std::string& text, char* to) { return std::copy(text.begin(), text.end(), to); }
char* put(std::uint64_t number, char* to) { return std::to_chars(to, to + most_digits, number).ptr; }

}  // namespace

std::size_t EdgeLines::most_characters(const EdgeColumns& edges) const {
  std::size_t total = edges.count * (before_.size() + 2 * most_digits);
  for (std::size_t i = 0; i < edges.count; ++i) {
    const Label& label = labels_.at(at<std::uint32_t>(edges.labels, i));
    total += label.between.size() + label.after.size();
  }
  return total;
}

std::string EdgeLines::text(const EdgeColumns& edges) const {
  std::string lines(most_characters(edges), '\0');
  char* end = lines.data();
  for (std::size_t i = 0; i < edges.count; ++i) {
    const Label& label = labels_[at<std::uint32_t>(edges.labels, i)];
    end = put(before_, end);
    end = put(at<std::uint64_t>(edges.sources, i), end);
    end = put(label.between, end);
    end = put(at<std::uint64_t>(edges.targets, i), end);
    end = put(label.after, end);
  }
  lines.resize(static_cast<std::size_t>(end - lines.data()));
  return lines;
}

}  // namespace scrimp
