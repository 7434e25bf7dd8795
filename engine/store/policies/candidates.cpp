#include "store/policies/candidates.h"

#include "store/policies/fifo.h"
#include "store/policies/random.h"
#include "store/policies/recency.h"
#include "store/policies/smallest_subtree.h"
#include "store/policies/type.h"
#include "store/policies/visit_classes.h"

namespace scrimp {

std::unique_ptr<Candidates> make_candidates(Policy policy, const strategy::Cache& cache, const Traits& traits,
                                            Budget& budget) {
  using End = RecencyPolicy::End;
  using Which = VisitClasses::Which;
  switch (policy) {
    case Policy::random: return std::make_unique<RandomPolicy>(cache.seed, budget);
    case Policy::fifo: return std::make_unique<FifoPolicy>(budget);
    case Policy::lru: return std::make_unique<RecencyPolicy>(End::least_recent, budget);
    case Policy::mru: return std::make_unique<RecencyPolicy>(End::most_recent, budget);
    case Policy::lfu: return std::make_unique<VisitClasses>(Which::least_visited, traits, budget);
    case Policy::mfu: return std::make_unique<VisitClasses>(Which::most_visited, traits, budget);
    case Policy::largest_class: return std::make_unique<VisitClasses>(Which::largest, traits, budget);
    case Policy::smallest_subtree: return std::make_unique<SmallestSubtree>(traits, budget);
    case Policy::type: return std::make_unique<TypePolicy>(cache, traits, budget);
  }
  return nullptr;
}

}  // namespace scrimp
