// The audit reports what is wrong, and nothing else: all selections on random systems.
#include "reduction/audit.h"

#include <set>
#include <string>

#include "reduction/selection.h"
#include "tests/check.h"
#include "tests/random/graph.h"
#include "tests/scene.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t budget_bytes = std::uint64_t{64} << 20;

/// Two processes that set a variable to different values, and one that waits for a value of it.
Scene rivals() {
  System system = processes({2, 2, 2});
  const FieldId shared = add_variable(system, 2);
  std::vector<Transition> made = {step(0, 0, 1), step(1, 0, 1), step(2, 0, 1), step(2, 0, 0)};
  made[0].assignments.push_back({shared, no_field, 1});
  made[1].assignments.push_back({shared, no_field, 2});
  made[2].guard.push_back({shared, Comparison::Operator::equal, 2});
  return scene(system, made);
}

std::string complaint_of_choice(Scene& scene, const std::set<EventId>& chosen, bool proviso = false) {
  Budget budget(budget_bytes);
  Audit audit(scene.machine(), scene.relations, proviso, budget);
  const Listing listing = scene.list(scene.initial());
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < listing.events.size(); ++i) bytes.push_back(chosen.contains(listing.event(i)));
  return audit.of_choice(scene.initial().data(), listing.entries(), bytes.data()).value_or("");
}

void a_choice_that_leaves_out_a_rival_is_not_persistent() {
  Scene scene = rivals();
  CHECK_EQUAL(complaint_of_choice(scene, {0}),
              "events 1 and 0 do not commute: the two orders lead to different states");
}

void a_choice_that_can_be_disabled_is_not_persistent() {
  Scene scene = rivals();
  CHECK_EQUAL(complaint_of_choice(scene, {3}), "event 2 disables event 3, after 1");
}

void an_empty_choice_is_an_error() {
  Scene scene = rivals();
  CHECK_EQUAL(complaint_of_choice(scene, {}), "no event is chosen");
}

void a_choice_of_all_rivals_is_persistent() {
  Scene scene = rivals();
  CHECK_EQUAL(complaint_of_choice(scene, {0, 1, 3}), "");
}

void visible_events_must_be_chosen_together() {
  System system = processes({2, 2});
  system.watches = {{{0, Comparison::Operator::equal, 1}, {1, Comparison::Operator::equal, 0}}};
  Scene scene = testing::scene(system, {step(0, 0, 1), step(1, 0, 1)});
  CHECK_EQUAL(complaint_of_choice(scene, {1}, true),
              "events 0 and 1 are both visible: the second is chosen, but the first can be fired before it");
  CHECK_EQUAL(complaint_of_choice(scene, {1}, false), "");
}

void declared_independence_is_tested() {
  Scene scene = rivals();
  Budget budget(budget_bytes);
  const Listing listing = scene.list(scene.initial());
  Audit honest(scene.machine(), scene.relations, false, budget);
  CHECK(!honest.of_independence(scene.initial().data(), listing.entries()));
  Relations careless = scene.relations;
  std::fill(careless.dependence.begin(), careless.dependence.end(), Word{0});
  Audit audit(scene.machine(), careless, false, budget);
  CHECK_EQUAL(audit.of_independence(scene.initial().data(), listing.entries()).value_or(""),
              "events 0 and 1 do not commute: the two orders lead to different states");
}

void a_choice_that_stays_on_the_path_breaks_the_proviso() {
  Scene scene = rivals();
  Budget budget(budget_bytes);
  const Audit audit(scene.machine(), scene.relations, true, budget);
  const Listing listing = scene.list(scene.initial());
  const std::uint8_t self_loop[] = {0, 0, 1};
  const std::uint8_t all[] = {1, 1, 1};
  scene.path.insert(scene.initial());
  CHECK_EQUAL(
      audit.of_proviso(scene.initial().data(), listing.entries(), self_loop, scene.around(listing)).value_or(""),
      "every chosen event is asleep, is a fault or leads back");
  CHECK(!audit.of_proviso(scene.initial().data(), listing.entries(), all, scene.around(listing)));
}

/// A search that fires the chosen events: what it finds, and what the audit says about its choices.
class Search {
 public:
  Search(Scene& scene, const ReductionPart& how, bool proviso)
      : scene_(scene),
        selection_(selection_of(how, proviso, scene.relations)),
        audit_(scene.machine(), scene.relations, proviso, budget_, 60) {
    visit(scene.initial());
  }

  std::set<WordState> dead;
  std::set<EventId> failing;
  std::uint64_t hits = 0;
  std::string complaint;

 private:
  void visit(const WordState& state) {
    known_.insert(state);
    scene_.path.insert(state);
    hits |= scene_.machine().watch(state.data());
    const Listing listing = scene_.list(state);
    if (listing.events.empty()) dead.insert(state);
    const std::vector<std::uint8_t> chosen = choice(state, listing);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (chosen[i]) take(listing, i);
    scene_.path.erase(state);
  }

  std::vector<std::uint8_t> choice(const WordState& state, const Listing& listing) {
    std::vector<std::uint8_t> all(listing.events.size(), 1);
    if (listing.events.empty() || selection_ == nullptr) return all;
    const std::vector<std::uint8_t> chosen = scene_.choose(*selection_, state, listing);
    if (chosen == all) return all;
    note(audit_.of_choice(state.data(), listing.entries(), chosen.data()));
    note(audit_.of_proviso(state.data(), listing.entries(), chosen.data(), scene_.around(listing)));
    return chosen;
  }

  void note(const Complaint& found) {
    if (found && complaint.empty()) complaint = *found;
  }

  void take(const Listing& listing, std::size_t entry) {
    if (listing.events[entry] & fault_flag) {
      failing.insert(listing.event(entry));
    } else if (!known_.contains(listing.state(entry))) {
      visit(listing.state(entry));
    }
  }

  Scene& scene_;
  Budget budget_{budget_bytes};
  const std::unique_ptr<Selection> selection_;
  Audit audit_;
  std::set<WordState> known_;
};

void compare(const Search& reduced, const Search& full, bool proviso) {
  CHECK_EQUAL(reduced.complaint, "");
  CHECK(reduced.dead == full.dead);
  if (!proviso) return;
  CHECK(reduced.failing == full.failing);
  CHECK_EQUAL(reduced.hits, full.hits);
}

void every_choice_in_random_systems_passes_the_audit() {
  Graph graph;
  for (const Profile& profile : profiles) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const System system = random_system(seed, profile);
      if (!graph.explore(system, 300)) continue;
      Scene scene(system);
      const Search full(scene, strategy::NoReduction{}, false);
      for (const ReductionPart& how :
           {local, overman, overman_refined, overman_original, overman_original_refined, stubborn})
        for (const bool proviso : {false, true}) compare(Search(scene, how, proviso), full, proviso);
    }
  }
}

}  // namespace

int main() {
  return run_all({
      TEST(a_choice_that_leaves_out_a_rival_is_not_persistent),
      TEST(a_choice_that_can_be_disabled_is_not_persistent),
      TEST(an_empty_choice_is_an_error),
      TEST(a_choice_of_all_rivals_is_persistent),
      TEST(visible_events_must_be_chosen_together),
      TEST(declared_independence_is_tested),
      TEST(a_choice_that_stays_on_the_path_breaks_the_proviso),
      TEST(every_choice_in_random_systems_passes_the_audit),
  });
}
