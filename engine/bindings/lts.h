// Explicit LTSs in Python: what is searched written down, and made smaller.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <optional>
#include <utility>

#include "observe/transcript.h"

namespace scrimp {

/// Hands transitions to a Python function, for whose call it holds the interpreter's lock. What the function raises
/// ends the search and is kept.
class PythonScribe {
 public:
  explicit PythonScribe(nanobind::object function) : function_(std::move(function)) {}

  bool operator()(const Transcribed& transcribed);
  /// Raises what the function raised, once.
  void rethrow() {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  }

 private:
  nanobind::object function_;
  std::exception_ptr raised_;
};

void bind_lts(nanobind::module_& module);

}  // namespace scrimp
