// Explicit LTSs in Python: writing one during a search, and minimising one.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <optional>
#include <utility>

#include "observe/transcript.h"

namespace scrimp {

/// Hands transitions to a Python function, and holds the interpreter's lock during the call. An exception of the
/// function ends the search and is kept.
class PythonScribe {
 public:
  explicit PythonScribe(nanobind::object function) : function_(std::move(function)) {}

  bool operator()(const Transcribed& transcribed);
  /// Raises the function's exception, if there was one, once.
  void rethrow() {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  }

 private:
  nanobind::object function_;
  std::exception_ptr raised_;
};

void bind_lts(nanobind::module_& module);

}  // namespace scrimp
