#include "observe/report.h"

namespace scrimp {

void Report::set(std::string_view name, std::uint64_t value) { values_.insert_or_assign(std::string(name), value); }

void Report::set(std::string_view name, double value) { values_.insert_or_assign(std::string(name), value); }

void Report::set(std::string_view name, List value) { values_.insert_or_assign(std::string(name), std::move(value)); }

}  // namespace scrimp
