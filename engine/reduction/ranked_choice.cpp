#include "reduction/ranked_choice.h"

#include "reduction/rank_sample.h"

namespace scrimp {

namespace {

Ranks first_ranks(const Relations& relations, const Machine& machine) {
  std::vector<Word> initial(machine.words);
  machine.initial(initial.data());
  return {relations, initial.data(), machine.words};
}

}  // namespace

/// Without a proviso, nobody asks for ranks, unless the system may be outgrown.
Reducing::Reducing(const Reduction& parts, const Relations& its_relations, const Machine& machine, bool is_audited,
                   Budget& budget)
    : reduction(parts), relations(its_relations), ranks(first_ranks(relations, machine)), audits(is_audited) {
  if (has_proviso(reduction) || relations.may_be_outgrown())
    ranks.learn(sample_choices(machine, *make_selection(reduction, relations), budget));
}

}  // namespace scrimp
