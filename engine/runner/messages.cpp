#include "runner/messages.h"

#include <string>
#include <type_traits>
#include <variant>

namespace scrimp {

namespace {

void entry(ValueWriter& writer, std::string_view name, std::uint64_t number) {
  writer.text(name);
  writer.whole(number);
}

void message(ValueWriter& writer, std::string_view name) {
  writer.record(1);
  writer.text(name);
}

void write_report(ValueWriter& writer, const Report& report) {
  writer.record(report.values().size());
  for (const auto& [name, value] : report.values()) {
    writer.text(name);
    std::visit(
        [&]<class Kind>(const Kind& number) {
          if constexpr (std::is_same_v<Kind, double>) {
            writer.real(number);
          } else if constexpr (std::is_same_v<Kind, std::uint64_t>) {
            writer.whole(number);
          } else {
            writer.list(number.size());
            for (const std::uint64_t each : number) writer.whole(each);
          }
        },
        value);
  }
}

void write_findings(ValueWriter& writer, const std::vector<Finding>& findings) {
  writer.list(findings.size());
  for (const Finding& finding : findings) {
    writer.list(4);
    writer.text(name(finding.kind));
    writer.negative(finding.watch);
    writer.items(finding.events);
    writer.items(finding.cycle);
  }
}

void write_misfit(ValueWriter& writer, const std::optional<Misfit>& misfit) {
  if (!misfit) return writer.none();
  writer.list(2);
  writer.items(misfit->state);
  writer.whole(misfit->event);
}

void write_checkpoint(ValueWriter& writer, const std::optional<CheckpointReport>& report) {
  if (!report) return writer.none();
  writer.record(5);
  entry(writer, "written", report->written);
  entry(writer, "states", report->states);
  entry(writer, "resumptions", report->resumptions);
  entry(writer, "resumed_states", report->resumed_states);
  writer.text("complaint");
  writer.text(report->complaint);
}

}  // namespace

void write_ready(ValueWriter& writer, std::uint64_t held) {
  message(writer, "ready");
  writer.whole(held);
}

void write_progress(ValueWriter& writer, const Progress& progress, const Report& description) {
  message(writer, "progress");
  writer.record(7);
  entry(writer, "states", progress.states);
  entry(writer, "transitions", progress.transitions);
  entry(writer, "matched", progress.matched);
  entry(writer, "depth", progress.depth);
  entry(writer, "frontier", progress.frontier);
  entry(writer, "bytes", progress.bytes);
  writer.text("report");
  write_report(writer, description);
}

void write_transcribed(ValueWriter& writer, const Transcribed& transcribed) {
  message(writer, "transcribed");
  writer.list(7);
  writer.items(transcribed.sources, transcribed.count);
  writer.items(transcribed.labels, transcribed.count);
  writer.items(transcribed.targets, transcribed.count);
  writer.list(transcribed.ways.size());
  for (const auto& way : transcribed.ways) writer.items(way);
  writer.whole(transcribed.voided);
  writer.items(transcribed.numbers, transcribed.state_count);
  writer.items(transcribed.states, transcribed.words);
}

void write_outcome(ValueWriter& writer, const Outcome& outcome, std::uint64_t rss_peak) {
  const Counts& counts = outcome.counts;
  message(writer, "outcome");
  writer.record(21);
  writer.text("reason");
  writer.text(name(outcome.reason));
  entry(writer, "states", counts.states);
  entry(writer, "transitions", counts.transitions);
  entry(writer, "events_executed", counts.transitions + counts.inner_events + outcome.report.whole("events_beside"));
  entry(writer, "matched", counts.matched);
  entry(writer, "depth", counts.depth);
  entry(writer, "deadlocks", counts.deadlocks);
  entry(writer, "faults", counts.faults);
  entry(writer, "violations", counts.violations);
  writer.text("watch_hits");
  writer.items(counts.watch_hits.data(), outcome.watches);
  writer.text("levels");
  writer.items(outcome.levels);
  writer.text("report");
  write_report(writer, outcome.report);
  writer.text("fired");
  writer.items(outcome.fired);
  entry(writer, "held_peak", outcome.held_peak);
  entry(writer, "rss_peak", rss_peak);
  writer.text("complaint");
  outcome.complaint.empty() ? writer.none() : writer.text(outcome.complaint);
  writer.text("findings");
  write_findings(writer, outcome.findings);
  writer.text("misfit");
  write_misfit(writer, outcome.misfit);
  writer.text("checkpoint");
  write_checkpoint(writer, outcome.checkpoint);
  writer.text("handover");
  writer.text(name(outcome.handover));
  writer.text("seconds");
  writer.real(outcome.seconds);
}

void write_refusal(ValueWriter& writer, std::string_view problem) {
  message(writer, "refused");
  writer.text(problem);
}

}  // namespace scrimp
