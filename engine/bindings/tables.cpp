#include "bindings/tables.h"

#include <cstdint>

#include "bindings/values.h"
#include "reduction/relations.h"
#include "wire/tables.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace scrimp {

namespace {

void construct_relations(Relations* self, nb::bytes process, nb::bytes kind, nb::bytes safe, nb::bytes visible,
                         nb::bytes dependence_class, std::uint32_t classes, nb::bytes dependence, nb::bytes locations,
                         nb::bytes places, std::uint32_t place_count, nb::tuple moved_places, nb::tuple leaving,
                         nb::tuple entering, nb::tuple enabling, nb::bytes tests, nb::tuple conditions,
                         nb::tuple condition_enabling, nb::tuple place_cells, nb::tuple future_cells, nb::tuple support,
                         std::uint32_t cell_count, nb::bytes outgrowing) {
  nb::dict record;
  record["process"] = process;
  record["kind"] = kind;
  record["safe"] = safe;
  record["visible"] = visible;
  record["dependence_class"] = dependence_class;
  record["dependence"] = dependence;
  record["locations"] = locations;
  record["places"] = places;
  record["moved_places"] = moved_places;
  record["leaving"] = leaving;
  record["entering"] = entering;
  record["enabling"] = enabling;
  record["tests"] = tests;
  record["conditions"] = conditions;
  record["condition_enabling"] = condition_enabling;
  record["place_cells"] = place_cells;
  record["future_cells"] = future_cells;
  record["support"] = support;
  record["classes"] = classes;
  record["place_count"] = place_count;
  record["cell_count"] = cell_count;
  record["outgrowing"] = outgrowing;
  new (self) Relations(relations_of(value_of(record)));
}

}  // namespace

void bind_relations(nb::module_& module) {
  nb::class_<Relations>(module, "Relations", "Who leads a machine's events, from where, and what depends on what.")
      .def("__init__", construct_relations, nb::kw_only(), "process"_a, "kind"_a, "safe"_a, "visible"_a,
           "dependence_class"_a, "classes"_a, "dependence"_a, "locations"_a, "places"_a, "place_count"_a,
           "moved_places"_a, "leaving"_a, "entering"_a, "enabling"_a, "tests"_a, "conditions"_a, "condition_enabling"_a,
           "place_cells"_a, "future_cells"_a, "support"_a, "cell_count"_a, "outgrowing"_a)
      .def("dependent", &Relations::dependent, "a"_a, "b"_a);
}

}  // namespace scrimp
