#include "reduction/selection.h"

#include "reduction/local.h"
#include "reduction/overman.h"
#include "reduction/stubborn.h"

namespace scrimp {

std::unique_ptr<Selection> make_selection(Selecting how, bool proviso, const Relations& relations) {
  const auto overman = [&](bool is_refined, bool is_original) {
    return std::make_unique<Overman>(OvermanVariant{is_refined, is_original}, proviso, relations);
  };
  switch (how) {
    case Selecting::all: return nullptr;
    case Selecting::local: return std::make_unique<Local>(proviso, relations);
    case Selecting::overman: return overman(false, false);
    case Selecting::overman_refined: return overman(true, false);
    case Selecting::overman_original: return overman(false, true);
    case Selecting::overman_original_refined: return overman(true, true);
    case Selecting::stubborn: return std::make_unique<Stubborn>(proviso, relations);
  }
  return nullptr;
}

}  // namespace scrimp
