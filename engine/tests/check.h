// A test is a function that checks; a test program names its tests and runs them all.
#pragma once

#include <cstdio>
#include <iostream>
#include <ostream>

namespace scrimp::testing {

inline int failures = 0;

template <class Left, class Right>
void check_equal(const Left& left, const Right& right, const char* text, const char* file, int line) {
  if (left == right) return;
  ++failures;
  std::cerr << file << ":" << line << ": " << text << ": " << left << " is not " << right << "\n";
}

inline void check_true(bool holds, const char* text, const char* file, int line) {
  if (holds) return;
  ++failures;
  std::cerr << file << ":" << line << ": " << text << " does not hold\n";
}

struct Test {
  const char* name;
  void (*run)();
};

template <std::size_t count>
int run_all(const Test (&tests)[count]) {
  for (const Test& test : tests) {
    const int before = failures;
    test.run();
    std::printf("%s %s\n", failures == before ? "passed" : "FAILED", test.name);
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace scrimp::testing

#define CHECK(condition) ::scrimp::testing::check_true((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(left, right) \
  ::scrimp::testing::check_equal((left), (right), #left " == " #right, __FILE__, __LINE__)
#define TEST(function) {#function, function}
