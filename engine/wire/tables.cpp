#include "wire/tables.h"

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace scrimp {

namespace {

using Numbers = std::vector<std::uint32_t>;

/// `count` lists of numbers below `limit`.
Lists lists_of(const Value& begins_and_items, std::size_t count, std::size_t limit) {
  const Value::List& pair = begins_and_items.list();
  if (pair.size() != 2) throw std::invalid_argument("lists are two arrays: where each begins, and their items");
  Lists lists{items_of<std::uint32_t>(pair[0]), items_of<std::uint32_t>(pair[1])};
  if (lists.begins.size() != count + 1 || lists.begins.front() != 0 || lists.begins.back() != lists.items.size())
    throw std::invalid_argument("lists do not begin and end where they should");
  for (std::size_t i = 0; i < count; ++i)
    if (lists.begins[i] > lists.begins[i + 1]) throw std::invalid_argument("a list ends before it begins");
  for (const std::uint32_t item : lists.items)
    if (item >= limit) throw std::invalid_argument("a list names what does not exist");
  return lists;
}

/// Each process's word, shift and bits, and where its places begin: four numbers.
std::vector<Relations::Location> locations_of(const Value& bytes, std::size_t places) {
  const Numbers numbers = items_of<std::uint32_t>(bytes);
  if (numbers.size() % 4 != 0) throw std::invalid_argument("a location has four numbers");
  std::vector<Relations::Location> locations;
  for (std::size_t i = 0; i < numbers.size(); i += 4) {
    const Word mask = (Word{1} << numbers[i + 2]) - 1;
    if (numbers[i + 2] > 31 || numbers[i + 3] + mask >= places) throw std::invalid_argument("a location has no place");
    locations.push_back({numbers[i], numbers[i + 1], mask, numbers[i + 3]});
  }
  return locations;
}

void read_columns(const Value& record, Relations& relations) {
  relations.process = items_of<std::uint32_t>(record["process"]);
  relations.kind = items_of<std::uint8_t>(record["kind"]);
  relations.safe = items_of<std::uint8_t>(record["safe"]);
  relations.visible = items_of<std::uint8_t>(record["visible"]);
  relations.dependence_class = items_of<std::uint32_t>(record["dependence_class"]);
  for (const std::size_t size :
       {relations.kind.size(), relations.safe.size(), relations.visible.size(), relations.dependence_class.size()})
    if (size != relations.process.size()) throw std::invalid_argument("every event has one entry in each table");
}

Automaton automaton_of(const Value& record) {
  Automaton automaton{record["states"].whole<std::uint32_t>(),
                      record["initial"].whole<std::uint32_t>(),
                      record["marks"].whole<std::uint32_t>(),
                      {}};
  if (automaton.initial >= automaton.states)
    throw std::invalid_argument("the initial state is none of the automaton's");
  for (const Value& each : record["edges"].list()) {
    const Value::List& parts = each.list();
    if (parts.size() != 4) throw std::invalid_argument("an edge has four parts");
    Automaton::Edge edge{parts[0].whole<std::uint32_t>(), parts[1].whole<std::uint32_t>(), {}, parts[3].whole<Word>()};
    if (edge.source >= automaton.states || edge.target >= automaton.states)
      throw std::invalid_argument("an edge leads to a state that does not exist");
    if (automaton.marks < 64 && edge.marks >> automaton.marks != 0)
      throw std::invalid_argument("an edge has a mark that does not exist");
    for (const Value& cube : parts[2].list())
      edge.cubes.push_back({cube.list().at(0).whole<Word>(), cube.list().at(1).whole<Word>()});
    automaton.edges.push_back(std::move(edge));
  }
  return automaton;
}

Movers movers_of(const Value& record) {
  Movers movers{record["processes"].whole<std::uint32_t>(), items_of<Word>(record["strong"]),
                items_of<Word>(record["movers"]), items_of<std::uint8_t>(record["varies"])};
  if (movers.of_event.size() != movers.words() * movers.varies.size())
    throw std::invalid_argument("every event has its movers");
  if (movers.strong.size() != movers.words()) throw std::invalid_argument("every process is strongly fair or not");
  const std::uint32_t last_bits = movers.processes % 64;
  if (last_bits != 0 && movers.strong.back() >> last_bits != 0)
    throw std::invalid_argument("a strongly fair process does not exist");
  return movers;
}

std::vector<Relations::Test> tests_of(const Value& bytes) {
  const Numbers numbers = items_of<std::uint32_t>(bytes);
  if (numbers.size() % 6 != 0) throw std::invalid_argument("a test has six numbers");
  std::vector<Relations::Test> tests;
  for (std::size_t i = 0; i < numbers.size(); i += 6)
    tests.push_back({numbers[i], numbers[i + 1], (Word{1} << numbers[i + 2]) - 1, numbers[i + 3], numbers[i + 4],
                     (numbers[i + 5] & 1) != 0, (numbers[i + 5] & 2) != 0});
  return tests;
}

/// A state of an automaton that need not exist.
std::uint32_t state_if_any(const Value& value) {
  return value.is_none() ? MonitorQuestion::nowhere : value.whole<std::uint32_t>();
}

}  // namespace

Relations relations_of(const Value& record) {
  Relations relations;
  read_columns(record, relations);
  relations.classes = record["classes"].whole<std::uint32_t>();
  relations.dependence = items_of<Word>(record["dependence"]);
  relations.places = items_of<std::uint32_t>(record["places"]);
  relations.locations = locations_of(record["locations"], relations.places.size());
  relations.place_count = record["place_count"].whole<std::uint32_t>();
  relations.cell_count = record["cell_count"].whole<std::uint32_t>();
  relations.outgrowing = items_of<std::uint8_t>(record["outgrowing"]);
  if (relations.may_be_outgrown() && relations.outgrowing.size() != relations.place_count)
    throw std::invalid_argument("every place has one entry, or none has");
  if (relations.dependence.size() != relations.classes * relations.row_words())
    throw std::invalid_argument("every class has a row of bits");
  const std::size_t events = relations.process.size();
  const std::size_t places = relations.place_count;
  const std::size_t cells = relations.cell_count;
  relations.moved_places = lists_of(record["moved_places"], events, places);
  relations.leaving = lists_of(record["leaving"], places, events);
  relations.entering = lists_of(record["entering"], places, events);
  relations.enabling = lists_of(record["enabling"], events, events);
  relations.tests = tests_of(record["tests"]);
  relations.conditions = lists_of(record["conditions"], events, relations.tests.size());
  relations.condition_enabling = lists_of(record["condition_enabling"], relations.tests.size(), events);
  relations.place_cells = lists_of(record["place_cells"], places, cells);
  relations.future_cells = lists_of(record["future_cells"], places, cells);
  relations.support = lists_of(record["support"], relations.locations.size(), cells);
  return relations;
}

ByteFields byte_fields_of(const Value& bytes) {
  const Numbers numbers = items_of<std::uint32_t>(bytes);
  if (numbers.size() % 4 != 0) throw std::invalid_argument("a field has four numbers");
  ByteFields fields;
  for (std::size_t i = 0; i < numbers.size(); i += 4) {
    fields.fields.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]});
    fields.bytes += numbers[i + 3];
  }
  return fields;
}

LivenessQuestion liveness_of(const Value& record) {
  LivenessQuestion question{automaton_of(record), record["unknown_letter"].whole<Word>(),
                            record["repeats_ends"].truth(), movers_of(record)};
  if (question.automaton.marks > 63) throw std::invalid_argument("there are at most 63 marks");
  return question;
}

Reencoding reencoding_of(const Value& list) {
  const Value::List& parts = list.list();
  if (parts.size() != 3) throw std::invalid_argument("a reencoding has three parts");
  return {parts[0].whole<std::uint32_t>(), parts[1].whole<std::uint32_t>(), items_of<Reencoding::Move>(parts[2])};
}

CheckpointOptions checkpoint_options_of(const Value& record) {
  CheckpointOptions options;
  options.folder = record["folder"].text();
  options.every = record["every"].real();
  options.setup = items_of<std::uint8_t>(record["setup"]);
  if (const Value& number = record["resume"]; !number.is_none()) options.resume = number.whole<std::uint64_t>();
  if (const Value& list = record["reencoding"]; !list.is_none()) options.reencoding = reencoding_of(list);
  return options;
}

HandoverOptions handover_options_of(const Value& record) {
  HandoverOptions options;
  options.file = record["file"].whole<int>();
  options.most_bytes = record["most_bytes"].whole<std::uint64_t>();
  options.least_states = record["least_states"].whole<std::uint64_t>();
  options.seconds_of_state = record["seconds_of_state"].real();
  options.takes_over = record["takes_over"].truth();
  if (const Value& list = record["reencoding"]; !list.is_none()) options.reencoding = reencoding_of(list);
  return options;
}

MonitorQuestion monitor_of(const Value& record) {
  return {automaton_of(record),
          state_if_any(record["bad"]),
          state_if_any(record["satisfied"]),
          record["unknown_letter"].whole<Word>(),
          record["stops_when_decided"].truth(),
          record["repeats_ends"].truth()};
}

}  // namespace scrimp
