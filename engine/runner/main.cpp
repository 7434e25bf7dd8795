// The process that searches: an engine without an interpreter, so that nearly all memory is left to states.
//
//   in:  what is searched (see wire/requests.h)     out:  {"ready": bytes held}
//        {"start": how}                                   {"transcribed": ...}, if requested, again and again
//        "progress"                                       {"progress": ...}
//        "stop"
//                                                         {"outcome": ...}
//
// {"refused": why} replaces what cannot be done. If the channel is closed, the process ends: nobody waits for it.
// Interrupts end the search, as "stop" does; who started the process decides what becomes of it.
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "run.h"
#include "runner/channel.h"
#include "runner/messages.h"
#include "runner/own_memory.h"
#include "wire/requests.h"

namespace scrimp {

namespace {

Signals signals;

void stop_searching(int) { signals.stop(); }

void hear_interrupts() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;  // as under nohup
    action.sa_handler = stop_searching;
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, nullptr);
  }
  signal(SIGPIPE, SIG_IGN);
}

/// Small blocks come from one arena, and large ones go back to the system: what is freed is not held.
void hold_little() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 64 << 10);
  mallopt(M_TRIM_THRESHOLD, 64 << 10);
}

/// Nobody waits for a search whose channel is closed.
[[noreturn]] void leave() { _exit(0); }

/// Answers messages until the search is over, which the searching thread says by closing its end of a pipe.
void attend(int over, Outbox& outbox) {
  pollfd watched[] = {{STDIN_FILENO, POLLIN, 0}, {over, POLLIN, 0}};
  while (true) {
    if (poll(watched, 2, -1) < 0) continue;  // interrupted by a signal
    if (watched[1].revents != 0) return;
    const std::optional<Message> message = receive(STDIN_FILENO);
    if (!message) leave();
    if (message->value().text() == "stop") signals.stop();
    if (message->value().text() == "progress")
      outbox.send([](ValueWriter& writer) { write_progress(writer, signals.progress(), signals.description()); });
  }
}

/// In a thread of its own, while this one answers messages.
Outcome search(const Machine& machine, const Options& options, Outbox& outbox) {
  int over[2];
  if (pipe(over) != 0) throw std::runtime_error("no pipe could be made");
  Outcome outcome;
  std::thread searching([&] {
    outcome = run(machine, options, signals);
    close(over[1]);
  });
  attend(over[0], outbox);
  searching.join();
  return outcome;
}

void serve(Outbox& outbox) {
  std::optional<Message> request = receive(STDIN_FILENO);
  if (!request) return;
  const Subject subject = subject_of(request->value());
  if (subject.machine->context == nullptr) request.reset();  // everything was copied
  outbox.send([](ValueWriter& writer) { write_ready(writer, held_bytes()); });

  const std::optional<Message> start = receive(STDIN_FILENO);
  if (!start) return;
  const Value& how = start->value()["start"];
  Options options = options_of(how["options"]);
  if (how["transcribes"].truth())
    options.scribe = [&](const Transcribed& transcribed) {
      return outbox.send([&](ValueWriter& writer) { write_transcribed(writer, transcribed); });
    };
  options = searching(subject, options);
  forget_code();
  const Outcome outcome = search(*subject.machine, options, outbox);
  outbox.send([&](ValueWriter& writer) { write_outcome(writer, outcome, most_held_bytes()); });
}

}  // namespace

}  // namespace scrimp

int main() {
  scrimp::hold_little();
  scrimp::hear_interrupts();
  scrimp::Outbox outbox(STDOUT_FILENO);
  try {
    scrimp::serve(outbox);
  } catch (const std::exception& error) {
    outbox.send([&](scrimp::ValueWriter& writer) { scrimp::write_refusal(writer, error.what()); });
  }
  _exit(0);  // nothing to tidy up: the system takes everything back at once
}
