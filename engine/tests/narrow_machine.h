// Machines in which some values do not fit, and files by which their searches are handed over.
#pragma once

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

#include "core/hash.h"
#include "search/checkpoint/options.h"
#include "tests/wrapped_machine.h"

namespace scrimp::testing {

/// A machine in which one event in `rarity` leads to a value that does not fit. What fits one machine fits another of a
/// smaller `width` as well.
class NarrowMachine : public WrappedMachine {
 public:
  NarrowMachine(const Machine& inner, std::uint64_t rarity, std::uint32_t width)
      : WrappedMachine(inner), rarity_(rarity), width_(width) {
    functions().successors = successors;
    if (inner.functions.alone != nullptr) functions().alone = alone;
    if (inner.functions.in_degree != nullptr) functions().in_degree = nullptr;
  }

 private:
  static const NarrowMachine& narrow(const void* context) { return static_cast<const NarrowMachine&>(of(context)); }

  static std::uint64_t successors(const void* context, const Word* state, Word* successors, EventId* events) {
    const NarrowMachine& self = narrow(context);
    return self.without_misfits(state, events, self.inner().successors(state, successors, events));
  }
  static std::uint64_t alone(const void* context, const Word* state, std::uint32_t holder, Word* successors,
                             EventId* events) {
    const NarrowMachine& self = narrow(context);
    return self.without_misfits(state, events, self.inner().alone(state, holder, successors, events));
  }

  std::uint64_t without_misfits(const Word* state, EventId* events, std::uint64_t answer) const {
    EventId flags = 0;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(answer); ++i) {
      const Word chance = mix(hash_words(state, inner().words) + (events[i] & event_mask)) / 3 % rarity_;
      if (chance < width_) flags |= events[i] |= misfit_flag;
    }
    return answer | std::uint64_t{flags} << 32;
  }

  std::uint64_t rarity_;
  std::uint32_t width_;
};

/// A file without a name.
struct File {
  File() {
    char name[] = "/tmp/scrimp-handover-XXXXXX";
    number = mkstemp(name);
    unlink(name);
  }
  ~File() { close(number); }
  off_t bytes() const {
    struct stat status = {};
    fstat(number, &status);
    return status.st_size;
  }
  int number;
};

inline HandoverOptions handing_over(const File& file, bool takes_over,
                                    std::uint64_t most_bytes = std::uint64_t{1} << 30) {
  HandoverOptions options;
  options.file = file.number;
  options.most_bytes = most_bytes;
  options.takes_over = takes_over;
  return options;
}

}  // namespace scrimp::testing
