// What the runner sends: each is a record with one entry, which names it. src/scrimp/runner.py reads them.
#pragma once

#include <cstdint>
#include <string_view>

#include "observe/signals.h"
#include "observe/transcript.h"
#include "run.h"
#include "runner/channel.h"

namespace scrimp {

/// The subject was read; the process holds so many bytes.
void write_ready(ValueWriter& writer, std::uint64_t held);
void write_progress(ValueWriter& writer, const Progress& progress, const Report& description);
void write_transcribed(ValueWriter& writer, const Transcribed& transcribed);
/// `rss_peak` is the most that the process ever held.
void write_outcome(ValueWriter& writer, const Outcome& outcome, std::uint64_t rss_peak);
/// The search cannot begin.
void write_refusal(ValueWriter& writer, std::string_view problem);

}  // namespace scrimp
