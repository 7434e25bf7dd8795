// The choices of each selection, rule by rule.
#include "reduction/selection.h"

#include <string>
#include <vector>

#include "tests/check.h"
#include "tests/scene.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

Transition where(Comparison guard, Transition made) {
  made.guard.push_back(guard);
  return made;
}

Transition with(Operation::Kind kind, std::uint8_t channel, Transition made) {
  made.operation.kind = kind;
  made.operation.channel = channel;
  return made;
}

Transition meet(Transition made, Move partner) {
  made.moves.push_back(partner);
  return made;
}

constexpr auto equal = Comparison::Operator::equal;
constexpr auto send = Operation::Kind::send;
constexpr auto receive = Operation::Kind::receive;

/// Two processes that count independently and two that share a variable.
struct Loners {
  System system = processes({2, 2, 2, 2});
  FieldId own = add_variable(system, 2, 0), also_own = add_variable(system, 2, 1), shared = add_variable(system, 2);
  std::vector<Transition> transitions = {access(3, 0, 1, shared), access(2, 0, 1, shared), access(1, 0, 1, also_own),
                                         access(0, 0, 1, own)};
};

void a_process_with_only_local_events_runs_alone() {
  Loners loners;
  Scene alone = scene(loners.system, loners.transitions);
  CHECK_EQUAL(alone.choice(local), "2");
  for (const ReductionPart& how : {overman, overman_original, stubborn}) CHECK_EQUAL(alone.choice(how), "2");
}

/// The choice if event 2 is useless and event 3 is not: the reduced search also fires the group it tried.
const char* after_trying_the_other(const ReductionPart& how) { return is_local(how) ? "2 3" : "3"; }

void if_a_process_leads_back_to_the_path_the_next_one_is_chosen() {
  for (const ReductionPart& how : {local, overman, stubborn}) {
    Loners loners;
    Scene alone = scene(loners.system, loners.transitions);
    alone.path.insert(alone.after(alone.initial(), {2}));
    CHECK_EQUAL(alone.choice(how), after_trying_the_other(how));
    CHECK_EQUAL(alone.choice(how, false), "2");
    alone.path.insert(alone.after(alone.initial(), {3}));
    CHECK_EQUAL(alone.choice(how), is_local(how) ? "all" : "0 1");
  }
}

void a_sleeping_event_does_not_lead_away_from_the_path() {
  for (const ReductionPart& how : {local, overman, stubborn}) {
    Loners loners;
    Scene alone = scene(loners.system, loners.transitions);
    alone.asleep = {2};
    CHECK_EQUAL(alone.choice(how), after_trying_the_other(how));
    CHECK_EQUAL(alone.choice(how, false), "2");
  }
}

void a_fault_does_not_lead_away_from_the_path() {
  for (const ReductionPart& how : {local, overman, stubborn}) {
    Loners loners;
    loners.transitions[2].assertion.push_back({loners.also_own, equal, 1});
    loners.transitions[2].is_fatal = true;
    Scene alone = scene(loners.system, loners.transitions);
    CHECK_EQUAL(alone.choice(how), after_trying_the_other(how));
    CHECK_EQUAL(alone.choice(how, false), "2");
  }
}

void without_the_proviso_only_what_outgrows_the_system_is_not_postponed() {
  for (const ReductionPart& how : {overman, stubborn}) {
    Loners loners;
    Scene alone = scene(loners.system, loners.transitions);
    alone.path.insert(alone.after(alone.initial(), {2}));
    std::vector<std::uint8_t>& outgrowing = alone.relations.outgrowing;
    for (const EventId event : {0u, 3u}) {  // of a process that is not chosen, and of the one that may be instead
      outgrowing.assign(alone.relations.place_count, 0);
      outgrowing[alone.relations.moved_places[event].begin()[0]] = 1;
      CHECK_EQUAL(alone.choice(how, false), "3");
    }
    outgrowing.assign(alone.relations.place_count, 0);
    const WordState later = alone.after(alone.initial(), {3});
    outgrowing[alone.relations.place(later.data(), 0)] = 1;  // where no process is yet
    CHECK_EQUAL(alone.choice(how, false), "2");
  }
}

void a_visible_event_is_not_chosen_alone() {
  for (const ReductionPart& how : {local, overman, stubborn}) {
    Loners loners;
    loners.system.watches = {{{loners.also_own, equal, 1}, {loners.shared, equal, 1}}};
    Scene alone = scene(loners.system, loners.transitions);
    CHECK_EQUAL(alone.choice(how), "3");
    CHECK_EQUAL(alone.choice(how, false), "2");
  }
}

void visible_events_are_chosen_together() {
  Loners loners;
  loners.system.watches = {{{loners.also_own, equal, 1}, {loners.shared, equal, 1}}};
  Scene alone = scene(loners.system, loners.transitions);
  alone.path.insert(alone.after(alone.initial(), {3}));
  CHECK_EQUAL(alone.choice(stubborn), "0 1 2");
  CHECK_EQUAL(alone.choice(local), "all");
  CHECK_EQUAL(alone.choice(overman), "all");
}

/// HGP92, section 3: `P: if :: x = 1 :: q?0 -> assert(false) fi`, `Q: q!0`.
void a_disabled_option_counts_as_an_option() {
  System system = processes({3, 2});
  const FieldId x = add_variable(system, 1, 0);
  const std::uint8_t q = add_channel(system, 1, 1);
  Scene erratum = scene(system, {access(0, 0, 1, x), with(receive, q, step(0, 0, 2)), with(send, q, step(1, 0, 1))});
  CHECK_EQUAL(erratum.choice(local), "all");
  CHECK_EQUAL(erratum.choice(overman), "all");
  CHECK_EQUAL(erratum.choice(stubborn), "2");
  erratum.relations.safe[0] = 1;  // as printed: the enabled edges are local
  CHECK_EQUAL(erratum.choice(local), "0");
}

/// HGP92, section 5.
struct ThreeProcesses {
  static Scene make() {
    System system = processes({3, 2, 2});
    const FieldId x = add_variable(system, 2), y = add_variable(system, 2), z = add_variable(system, 2);
    return scene(system, {access(0, 0, 1, y), access(0, 1, 2, z), access(1, 0, 1, x), access(1, 1, 0, y),
                          access(2, 0, 1, x), access(2, 1, 0, z)});
  }
};

void overman_leaves_out_processes_that_never_access_the_next_variables() {
  Scene scene = ThreeProcesses::make();
  CHECK_EQUAL(scene.choice(overman), "2 4");
  CHECK_EQUAL(scene.choice(overman_refined), "2 4");
}

void overman_refined_leaves_out_processes_that_will_not_access_them_again() {
  Scene scene = ThreeProcesses::make();
  const WordState later = scene.after(scene.initial(), {0, 2, 4});
  CHECK_EQUAL(scene.choice(overman, later), "1 5");
  CHECK_EQUAL(scene.choice(overman_refined, later), "3");
  CHECK_EQUAL(scene.choice(stubborn, later), "3");
}

/// Process 0 has two events and no partner; processes 1 and 2 have one enabled event between them.
void overmans_original_measure_counts_processes() {
  System system = processes({2, 2, 2});
  const FieldId own = add_variable(system, 2, 0), shared = add_variable(system, 1);
  Scene choice = scene(system, {access(0, 0, 1, own), step(0, 0, 1), access(1, 0, 1, shared),
                                where({shared, equal, 1}, access(2, 0, 1, shared))});
  CHECK_EQUAL(choice.choice(overman), "2");
  CHECK_EQUAL(choice.choice(overman_original), "0 1");
}

/// Process 0 continues by itself or waits for process 1, which needs steps to get there.
void a_process_that_waits_for_a_partner_adds_it() {
  const auto make = [](bool meets) {
    Transition handshake = step(0, 0, 1);
    if (meets) handshake.moves.push_back({1, 1, 2});
    return scene(processes({2, 3}), {handshake, step(0, 0, 1), step(1, 0, 1), step(1, 0, 0), step(1, 0, 0)});
  };
  for (const ReductionPart& how : {local, overman, overman_refined, stubborn}) {
    CHECK_EQUAL(make(true).choice(how, false), "2 3 4");
    CHECK_EQUAL(make(false).choice(how, false), "0 1");
  }
}

/// Process 0 starts 1, which shares a variable with 2.
void the_support_of_a_process_includes_the_processes_it_may_start() {
  System system = processes({2, 3, 2, 2});
  const FieldId shared = add_variable(system, 1);
  Scene starting = scene(system, {meet(step(0, 0, 1), {1, 0, 1}), access(1, 1, 2, shared), access(2, 0, 1, shared),
                                  step(3, 0, 1), step(3, 0, 0)});
  CHECK_EQUAL(starting.choice(overman, false), "0");
  const WordState started = starting.after(starting.initial(), {0});
  CHECK_EQUAL(starting.choice(overman, started, false), "1 2");
}

/// Process 0 continues by itself or waits until no process can move; process 1 has more events.
void a_process_that_waits_for_a_timeout_adds_all_processes() {
  for (const ReductionPart& how : {local, overman, overman_refined}) {
    Transition timeout = step(0, 0, 1);
    timeout.is_timeout = true;
    Scene waiting = scene(processes({2, 2}), {timeout, step(0, 0, 0), step(1, 0, 1), step(1, 0, 0)});
    CHECK_EQUAL(waiting.choice(how, false), "2 3");
  }
}

void sending_and_receiving_are_independent() {
  System system = processes({2, 2});
  const std::uint8_t channel = add_channel(system, 2, 1);
  Scene pipe = scene(system, {with(send, channel, step(0, 0, 0)), with(receive, channel, step(1, 0, 0))});
  const WordState half_full = pipe.after(pipe.initial(), {0});
  CHECK_EQUAL(pipe.choice(stubborn, half_full, false), "0");
  CHECK_EQUAL(pipe.choice(overman, half_full, false), "all");
}

/// Process 0 continues by itself or waits for a flag. Process 1 sets it; so does process 2, at a place that it may or
/// may not reach.
Scene waiting_for_a_flag(std::uint8_t target) {
  System system = processes({2, 2, 3});
  const FieldId flag = add_variable(system, 1);
  return scene(system, {step(0, 0, 1), where({flag, equal, 1}, step(0, 0, 0)), access(1, 0, 1, flag),
                        step(2, 0, target), step(2, 0, 0), access(2, 2, 0, flag)});
}

void a_disabled_event_adds_the_events_that_may_enable_it() {
  CHECK_EQUAL(waiting_for_a_flag(1).choice(stubborn, false), "2");
  CHECK_EQUAL(waiting_for_a_flag(2).choice(stubborn, false), "3 4");
}

/// Process 1 needs a step before it accesses the variable that process 0 accesses now.
void an_event_adds_the_events_that_lead_to_a_dependent_one() {
  System system = processes({2, 3});
  const FieldId shared = add_variable(system, 1);
  Scene coming = scene(system, {access(0, 0, 1, shared), step(1, 0, 1), access(1, 1, 2, shared)});
  CHECK_EQUAL(coming.choice(stubborn, false), "1");
  CHECK_EQUAL(coming.choice(overman, false), "1");
}

void support_is_every_cell_that_may_ever_be_accessed() {
  CHECK_EQUAL(waiting_for_a_flag(1).choice(overman, false), "3 4");
  CHECK_EQUAL(waiting_for_a_flag(1).choice(overman_refined, false), "0 2");
  CHECK_EQUAL(waiting_for_a_flag(2).choice(overman_refined, false), "3 4");
}

/// Process 1 has exclusive control after its first step and meets process 0 there, if that has reached the place by
/// then.
void a_process_that_may_be_met_in_a_transient_state_does_not_run_alone() {
  const auto make = [](std::uint8_t holder) {
    Transition begin = step(1, 0, 1);
    begin.holder = holder;
    return scene(processes({3, 3}), {step(0, 0, 1), begin, meet(step(1, 1, 2), {0, 1, 2})});
  };
  for (const ReductionPart& how : {local, overman, overman_refined, stubborn}) {
    CHECK_EQUAL(make(1).choice(how, false), "all");
    CHECK_EQUAL(make(no_process).choice(how, false), "0");
  }
}

}  // namespace

int main() {
  return run_all({
      TEST(a_process_with_only_local_events_runs_alone),
      TEST(if_a_process_leads_back_to_the_path_the_next_one_is_chosen),
      TEST(a_sleeping_event_does_not_lead_away_from_the_path),
      TEST(a_fault_does_not_lead_away_from_the_path),
      TEST(without_the_proviso_only_what_outgrows_the_system_is_not_postponed),
      TEST(a_visible_event_is_not_chosen_alone),
      TEST(visible_events_are_chosen_together),
      TEST(a_disabled_option_counts_as_an_option),
      TEST(overman_leaves_out_processes_that_never_access_the_next_variables),
      TEST(overman_refined_leaves_out_processes_that_will_not_access_them_again),
      TEST(overmans_original_measure_counts_processes),
      TEST(a_process_that_waits_for_a_partner_adds_it),
      TEST(the_support_of_a_process_includes_the_processes_it_may_start),
      TEST(a_process_that_waits_for_a_timeout_adds_all_processes),
      TEST(sending_and_receiving_are_independent),
      TEST(a_disabled_event_adds_the_events_that_may_enable_it),
      TEST(an_event_adds_the_events_that_lead_to_a_dependent_one),
      TEST(support_is_every_cell_that_may_ever_be_accessed),
      TEST(a_process_that_may_be_met_in_a_transient_state_does_not_run_alone),
  });
}
