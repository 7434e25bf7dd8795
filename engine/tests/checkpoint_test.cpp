// Searches that are resumed: their results are those of a search that was never interrupted.
//
// What a killed process leaves behind is the folder as it is at that moment. So the functions of the system that write
// files are replaced here by ones that, at a chosen call, copy the folder: the copy is what is resumed.
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "search/checkpoint/folder.h"
#include "tests/check.h"
#include "tests/grid.h"
#include "tests/outcome_text.h"
#include "tests/random_machine.h"
#include "tests/strategies.h"

namespace {

namespace fs = std::filesystem;

/// Copies a folder before the call number `left` that writes to a file, syncs or renames.
struct Camera {
  std::string folder, copy;
  long left = -1;
  bool forgets = false;                 // what was not synced, as if the power had failed
  std::map<std::string, off_t> synced;  // the size of each file when it was last synced

  void look() {
    if (left < 0 || left-- != 0) return;
    fs::copy(folder, copy);
    if (!forgets) return;
    for (const auto& entry : fs::directory_iterator(copy)) {
      const auto found = synced.find((fs::path(folder) / entry.path().filename()).string());
      const off_t size = found == synced.end() ? 0 : found->second;
      if (static_cast<off_t>(fs::file_size(entry)) > size) fs::resize_file(entry, static_cast<std::uintmax_t>(size));
    }
  }
} camera;

std::string path_of(int file) {
  std::error_code error;
  return fs::read_symlink("/proc/self/fd/" + std::to_string(file), error).string();
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t pwrite(int file, const void* bytes, size_t count, off_t place) {
  static auto* const real = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  camera.look();
  return real(file, bytes, count, place);
}

ssize_t pwrite64(int file, const void* bytes, size_t count, off_t place) { return pwrite(file, bytes, count, place); }

int fsync(int file) {
  static auto* const real = next<int(int)>("fsync");
  camera.look();
  struct stat status;
  const int result = real(file);
  if (fstat(file, &status) == 0) camera.synced[path_of(file)] = status.st_size;
  return result;
}

int rename(const char* from, const char* to) noexcept {
  static auto* const real = next<int(const char*, const char*)>("rename");
  camera.look();
  if (camera.synced.contains(from)) camera.synced[to] = camera.synced[from];
  return real(from, to);
}
}

namespace {

using namespace scrimp;
using namespace scrimp::testing;

/// A new folder, which disappears with the object.
struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "scrimp-checkpoints-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string path;
};

CheckpointOptions checkpoints_in_folder(const std::string& folder) {
  CheckpointOptions options;
  options.folder = folder;
  options.setup = {1, 2, 3};
  return options;
}

/// Searches with a checkpoint before every round, and takes a copy of the folder at a write.
Outcome search(const Machine& machine, Options options, const std::string& folder, const std::string& copy, long moment,
               bool forgets) {
  const CheckpointOptions checkpoint = checkpoints_in_folder(folder);
  options.checkpoint = checkpoint;
  camera = {folder, copy, moment, forgets, {}};
  const Outcome outcome = explore(machine, options);
  camera = {};
  return outcome;
}

/// Goes on from what is in a folder, with other settings.
Outcome resume(const Machine& machine, Options options, const std::string& folder) {
  CheckpointOptions checkpoint = checkpoints_in_folder(folder);
  const Survey found = survey(folder);
  if (found.latest) checkpoint.resume = found.latest->number;
  options.checkpoint = checkpoint;
  return explore(machine, options);
}

template <class Choose>
void compare(const Machine& machine, Options options, Choose choose, int trials) {
  const std::string expected = text_of(explore(machine, options));
  for (int trial = 0; trial < trials; ++trial) {
    const Folder folder, copies;
    const std::string copy = copies.path + "/copy";
    const Outcome whole = search(machine, options, folder.path, copy, static_cast<long>(choose(200)), choose(3) == 0);
    CHECK_EQUAL(text_of(whole), expected);
    Options others = options;
    others.method.store = strategy::Full{compressions[choose(3)]};
    if (!is_depth_first(options)) {
      others.threads = 1 + static_cast<std::uint32_t>(choose(3));
      if (choose(2) == 0) others.method.store = strategy::Auto{};
      others.change_after = choose(2) * 16;
      others.disk = std::uint64_t{1} << 30;
    }
    CHECK(survey(folder.path).complaints.empty());
    if (fs::exists(copy)) CHECK_EQUAL(text_of(resume(machine, others, copy)), expected);
    CHECK_EQUAL(text_of(resume(machine, others, folder.path)), expected);
  }
}

Options questions(Order order, std::uint64_t stop_after) {
  Options options = options_for(order);
  options.question.violation_watches = 1;
  options.question.goal_watches = 2;
  options.question.deadlock_is_violation = true;
  options.question.stop_after = stop_after;
  options.worth_sharing = 4;
  return options;
}

auto choices(std::uint64_t seed) {
  return [random = std::mt19937_64(seed)](std::uint64_t below) mutable { return random() % below; };
}

void a_search_that_is_killed_at_any_write_ends_as_if_it_had_not_been() {
  constexpr Quirks quirks{.faulty_at = 3, .watched_at = 5};
  for (const Order order : orders)
    for (const std::uint64_t stop_after : {0, 1, 2})
      compare(Grid<3, 9, 2, quirks>::machine(), questions(order, stop_after), choices(stop_after), 6);
}

void so_does_a_search_of_a_random_system() {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const System system = random_system(seed, *profile_named("mixed"));
    const SystemMachine current(system);
    for (const Order order : orders) {
      if (explore(current.machine(), questions(order, 0)).misfit) continue;
      compare(current.machine(), questions(order, 0), choices(seed), 2);
    }
  }
}

void a_search_without_memory_goes_on_with_more() {
  const auto& machine = Grid<2, 1000>::machine();
  for (const Order order : orders) {
    const std::string expected = text_of(explore(machine, options_for(order)));
    const Folder folder;
    Options options = options_for(order);
    CheckpointOptions checkpoint = checkpoints_in_folder(folder.path);
    checkpoint.every = 1e9;
    options.checkpoint = checkpoint;
    options.budget = std::uint64_t{3} << 20;
    const Outcome little = explore(machine, options);
    CHECK_EQUAL(std::string(name(little.reason)), "memory");
    CHECK_EQUAL(text_of(resume(machine, options_for(order), folder.path)), expected);
  }
}

void damage_is_noticed() {
  const auto& machine = Grid<3, 9>::machine();
  auto choose = choices(1);
  for (int trial = 0; trial < 30; ++trial) {
    const Folder folder;
    search(machine, options_for(orders[trial % 2]), folder.path, "", -1, false);
    const auto intact = survey(folder.path).latest;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder.path)) files.push_back(entry.path());
    if (files.empty()) continue;
    const fs::path file = files[choose(files.size())];
    const std::uintmax_t size = fs::file_size(file), place = choose(size);
    if (trial % 3 == 0) {
      fs::resize_file(file, place);
    } else {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(static_cast<std::streamoff>(place));
      const int byte = stream.get() ^ 1 << choose(8);
      stream.seekp(static_cast<std::streamoff>(place));
      stream.put(static_cast<char>(byte));
    }
    const Survey found = survey(folder.path);
    const bool is_log = file.filename().string().starts_with("states");
    // The log may be longer than a checkpoint says; the checkpoint before the last may have been damaged.
    if (!is_log && file.filename() == checkpoint_name(intact->number)) CHECK(!found.complaints.empty());
    if (found.latest)
      CHECK_EQUAL(text_of(resume(machine, options_for(orders[trial % 2]), folder.path)),
                  text_of(explore(machine, options_for(orders[trial % 2]))));
  }
}

/// One field is two bits wider and two bits further up; the others stay.
void states_are_translated() {
  const Reencoding wider(1, 2,
                         {{0, 1, 15, 3, 0, 1, 7, 0, 0, 0, 0},
                          {0, 5, 255, 250, 256, 0, 20, 0, 0, 0, 0},
                          {0, 13, 3, 1, 0, 0, 40, 0, 1, 15, 6}});
  const Word state = 1 | Word{6} << 1 | Word{10} << 5 | Word{2} << 13;
  Word result[2];
  wider(&state, result);
  CHECK_EQUAL(result[0], 1 | Word{4} << 20);  // the element number 6 of a channel of length 6 is not there
  CHECK_EQUAL(result[1], Word{9} << 7);
}

}  // namespace

int main() {
  return run_all({TEST(a_search_that_is_killed_at_any_write_ends_as_if_it_had_not_been),
                  TEST(so_does_a_search_of_a_random_system), TEST(a_search_without_memory_goes_on_with_more),
                  TEST(damage_is_noticed), TEST(states_are_translated)});
}
