// The lines of a text that lists the transitions of an LTS, one line each:
//
//     before  SOURCE  between  TARGET  after
//
// The two texts that follow a number depend on the label.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace scrimp {

/// Columns of numbers in native order, which need not be aligned: they may be parts of a message.
struct EdgeColumns {
  const std::byte* sources;  // eight bytes each
  const std::byte* labels;   // four
  const std::byte* targets;  // eight
  std::size_t count;
};

class EdgeLines {
 public:
  explicit EdgeLines(std::string before) : before_(std::move(before)) {}

  /// The label with the next number, from 0 on.
  void add_label(std::string between, std::string after) { labels_.push_back({std::move(between), std::move(after)}); }

  /// Throws std::out_of_range if an edge has a label that does not exist.
  std::string text(const EdgeColumns& edges) const;

 private:
  struct Label {
    std::string between, after;
  };

  std::size_t most_characters(const EdgeColumns& edges) const;

  std::string before_;
  std::vector<Label> labels_;
};

}  // namespace scrimp
