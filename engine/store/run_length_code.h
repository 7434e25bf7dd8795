// A run-length code of bytes (HGP92, section 6): a run of three or more equal bytes takes two bytes; any other stretch
// of bytes takes one byte more than its length.
//
//     n = 0 ... 127, then n + 1 bytes       those bytes
//     n = 128 ... 255, then one byte        that byte, n - 125 times
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace scrimp {

class RunLengthCode {
 public:
  static std::size_t most_bytes(std::size_t count) { return count + (count + longest_stretch - 1) / longest_stretch; }

  /// Returns the length of the code in bytes.
  static std::size_t encode(const std::uint8_t* bytes, std::size_t count, std::uint8_t* code) {
    const std::uint8_t *const begin = code, *const end = bytes + count;
    while (bytes != end) {
      const std::size_t run = run_at(bytes, end);
      if (run >= least_run) {
        *code++ = static_cast<std::uint8_t>(first_run + run - least_run);
        *code++ = *bytes;
        bytes += run;
      } else {
        const std::size_t stretch = stretch_at(bytes, end);
        *code++ = static_cast<std::uint8_t>(stretch - 1);
        code = std::copy_n(bytes, stretch, code);
        bytes += stretch;
      }
    }
    return static_cast<std::size_t>(code - begin);
  }

  /// Decodes `count` bytes. Returns the length of the code in bytes.
  static std::size_t decode(const std::uint8_t* code, std::size_t count, std::uint8_t* bytes) {
    const std::uint8_t *const begin = code, *const end = bytes + count;
    while (bytes != end) {
      const std::size_t head = *code++;
      if (head >= first_run) {
        bytes = std::fill_n(bytes, head - first_run + least_run, *code++);
      } else {
        bytes = std::copy_n(code, head + 1, bytes);
        code += head + 1;
      }
    }
    return static_cast<std::size_t>(code - begin);
  }

 private:
  static constexpr std::size_t first_run = 128, least_run = 3, longest_run = 255 - first_run + least_run;
  static constexpr std::size_t longest_stretch = 128;

  static std::size_t run_at(const std::uint8_t* bytes, const std::uint8_t* end) {
    const std::uint8_t* const stop = bytes + std::min<std::size_t>(longest_run, static_cast<std::size_t>(end - bytes));
    return static_cast<std::size_t>(std::find_if(bytes, stop, [&](std::uint8_t byte) { return byte != *bytes; }) -
                                    bytes);
  }

  /// The number of bytes before the next run.
  static std::size_t stretch_at(const std::uint8_t* bytes, const std::uint8_t* end) {
    const std::uint8_t* const stop =
        bytes + std::min<std::size_t>(longest_stretch, static_cast<std::size_t>(end - bytes));
    const std::uint8_t* at = bytes + 1;
    while (at != stop && !(end - at >= 3 && at[0] == at[1] && at[1] == at[2])) ++at;
    return static_cast<std::size_t>(at - bytes);
  }
};

}  // namespace scrimp
