#include "bindings/tables.h"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "reduction/relations.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace scrimp {

std::vector<std::uint32_t> numbers_of(const nb::bytes& bytes) {
  if (bytes.size() % sizeof(std::uint32_t) != 0) throw std::invalid_argument("a number has four bytes");
  std::vector<std::uint32_t> numbers(bytes.size() / sizeof(std::uint32_t));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.c_str(), bytes.size());
  return numbers;
}

namespace {

std::vector<std::uint8_t> small_numbers_of(const nb::bytes& bytes) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes.c_str());
  return {first, first + bytes.size()};
}

std::vector<Word> words_of(const nb::bytes& bytes) {
  if (bytes.size() % sizeof(Word) != 0) throw std::invalid_argument("a word has eight bytes");
  std::vector<Word> words(bytes.size() / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), bytes.c_str(), bytes.size());
  return words;
}

/// `count` lists of numbers below `limit`.
Lists lists_of(const nb::tuple& begins_and_items, std::size_t count, std::size_t limit) {
  Lists lists{numbers_of(nb::cast<nb::bytes>(begins_and_items[0])),
              numbers_of(nb::cast<nb::bytes>(begins_and_items[1]))};
  if (lists.begins.size() != count + 1 || lists.begins.front() != 0 || lists.begins.back() != lists.items.size())
    throw std::invalid_argument("lists do not begin and end where they should");
  for (std::size_t i = 0; i < count; ++i)
    if (lists.begins[i] > lists.begins[i + 1]) throw std::invalid_argument("a list ends before it begins");
  for (const std::uint32_t item : lists.items)
    if (item >= limit) throw std::invalid_argument("a list names what does not exist");
  return lists;
}

/// Each process's word, shift and bits, and where its places begin: four numbers.
std::vector<Relations::Location> locations_of(const nb::bytes& bytes, std::size_t places) {
  const std::vector<std::uint32_t> numbers = numbers_of(bytes);
  if (numbers.size() % 4 != 0) throw std::invalid_argument("a location has four numbers");
  std::vector<Relations::Location> locations;
  for (std::size_t i = 0; i < numbers.size(); i += 4) {
    const Word mask = (Word{1} << numbers[i + 2]) - 1;
    if (numbers[i + 2] > 31 || numbers[i + 3] + mask >= places) throw std::invalid_argument("a location has no place");
    locations.push_back({numbers[i], numbers[i + 1], mask, numbers[i + 3]});
  }
  return locations;
}

void construct_relations(Relations* self, nb::bytes process, nb::bytes kind, nb::bytes safe, nb::bytes visible,
                         nb::bytes dependence_class, std::uint32_t classes, nb::bytes dependence, nb::bytes locations,
                         nb::bytes places, std::uint32_t place_count, nb::tuple moved_places, nb::tuple leaving,
                         nb::tuple entering, nb::tuple enabling, nb::tuple place_cells, nb::tuple future_cells,
                         nb::tuple support, std::uint32_t cell_count) {
  Relations relations;
  relations.process = numbers_of(process);
  relations.kind = small_numbers_of(kind);
  relations.safe = small_numbers_of(safe);
  relations.visible = small_numbers_of(visible);
  relations.dependence_class = numbers_of(dependence_class);
  relations.classes = classes;
  relations.dependence = words_of(dependence);
  relations.places = numbers_of(places);
  relations.locations = locations_of(locations, relations.places.size());
  relations.place_count = place_count;
  relations.cell_count = cell_count;
  const std::size_t events = relations.process.size();
  const std::size_t processes = relations.locations.size();
  for (const std::size_t size :
       {relations.kind.size(), relations.safe.size(), relations.visible.size(), relations.dependence_class.size()})
    if (size != events) throw std::invalid_argument("every event has one entry in each table");
  if (relations.dependence.size() != classes * relations.row_words())
    throw std::invalid_argument("every class has a row of bits");
  relations.moved_places = lists_of(moved_places, events, place_count);
  relations.leaving = lists_of(leaving, place_count, events);
  relations.entering = lists_of(entering, place_count, events);
  relations.enabling = lists_of(enabling, events, events);
  relations.place_cells = lists_of(place_cells, place_count, cell_count);
  relations.future_cells = lists_of(future_cells, place_count, cell_count);
  relations.support = lists_of(support, processes, cell_count);
  new (self) Relations(std::move(relations));
}

}  // namespace

void bind_relations(nb::module_& module) {
  nb::class_<Relations>(module, "Relations", "Who leads a machine's events, from where, and what depends on what.")
      .def("__init__", construct_relations, nb::kw_only(), "process"_a, "kind"_a, "safe"_a, "visible"_a,
           "dependence_class"_a, "classes"_a, "dependence"_a, "locations"_a, "places"_a, "place_count"_a,
           "moved_places"_a, "leaving"_a, "entering"_a, "enabling"_a, "place_cells"_a, "future_cells"_a, "support"_a,
           "cell_count"_a)
      .def("dependent", &Relations::dependent, "a"_a, "b"_a);
}

ByteFields byte_fields_of(const nb::bytes& bytes) {
  const std::vector<std::uint32_t> numbers = numbers_of(bytes);
  if (numbers.size() % 4 != 0) throw std::invalid_argument("a field has four numbers");
  ByteFields fields;
  for (std::size_t i = 0; i < numbers.size(); i += 4) {
    fields.fields.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]});
    fields.bytes += numbers[i + 3];
  }
  return fields;
}

}  // namespace scrimp
