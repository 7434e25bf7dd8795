#include "reduction/proviso.h"

#include <algorithm>

namespace scrimp {

Proviso::Proviso(bool is_wanted, const Relations& relations) : is_wanted_(is_wanted), relations_(relations) {
  if (!relations.may_be_outgrown()) return;
  for (std::uint32_t process = 0; process < relations.locations.size(); ++process) {
    const Relations::Location& at = relations.locations[process];
    const auto first = relations.places.begin() + at.first_place;
    const auto last = first + static_cast<std::ptrdiff_t>(at.mask) + 1;
    if (std::any_of(first, last, [&](std::uint32_t place) { return relations.outgrowing[place] != 0; }))
      growing_.push_back(process);
  }
}

bool Proviso::may_outgrow(const Word* state) const {
  return std::any_of(growing_.begin(), growing_.end(), [&](std::uint32_t process) {
    return relations_.outgrowing[relations_.place(state, process)] != 0;
  });
}

}  // namespace scrimp
