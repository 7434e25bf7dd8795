// The words by which Python names what the engine has enumerations for.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "run.h"

namespace scrimp {

template <class Enum>
struct Named {
  std::string_view name;
  Enum value;
};

inline constexpr Named<Order> orders[] = {{"bfs", Order::breadth_first}, {"dfs", Order::depth_first}};
inline constexpr Named<Compress> compressions[] = {{"none", Compress::none},
                                                   {"tree", Compress::tree},
                                                   {"cleary", Compress::cleary},
                                                   {"huffman", Compress::huffman},
                                                   {"rle", Compress::rle}};
inline constexpr Named<Policy> policies[] = {{"random", Policy::random},
                                             {"fifo", Policy::fifo},
                                             {"lru", Policy::lru},
                                             {"mru", Policy::mru},
                                             {"lfu", Policy::lfu},
                                             {"mfu", Policy::mfu},
                                             {"largest-class", Policy::largest_class},
                                             {"smallest-subtree", Policy::smallest_subtree},
                                             {"type", Policy::type}};
inline constexpr Named<Keeping> keepings[] = {{"random", Keeping::random},
                                              {"fifo", Keeping::fifo},
                                              {"heuristic", Keeping::heuristic},
                                              {"distance", Keeping::distance},
                                              {"level", Keeping::level}};
inline constexpr Named<Leaving> leavings[] = {
    {"llnr", Leaving::llnr}, {"lru", Leaving::lru},       {"mru", Leaving::mru},  {"lfu", Leaving::lfu},
    {"mfu", Leaving::mfu},   {"random", Leaving::random}, {"size", Leaving::size}};
inline constexpr Named<PseudoRoot::Source> in_degree_sources[] = {{"in_degree", PseudoRoot::Source::in_degree},
                                                                  {"counted", PseudoRoot::Source::counted}};
inline constexpr Named<PseudoRoot::Next> pending_orders[] = {{"arrival", PseudoRoot::Next::arrival},
                                                             {"fewest", PseudoRoot::Next::fewest}};
inline constexpr Named<EdgeCounting::Store> counting_stores[] = {
    {"none", EdgeCounting::Store::plain}, {"tree", EdgeCounting::Store::tree}, {"cleary", EdgeCounting::Store::cleary}};
inline constexpr Named<Selecting> selections[] = {{"all", Selecting::all},
                                                  {"local", Selecting::local},
                                                  {"overman", Selecting::overman},
                                                  {"overman_refined", Selecting::overman_refined},
                                                  {"overman_original", Selecting::overman_original},
                                                  {"overman_original_refined", Selecting::overman_original_refined},
                                                  {"stubborn", Selecting::stubborn}};
inline constexpr Named<Sleeping> sleepings[] = {{"none", Sleeping::none},
                                                {"stored", Sleeping::stored},
                                                {"on_path", Sleeping::on_path},
                                                {"unconditional", Sleeping::unconditional}};

template <class Enum, std::size_t count>
Enum named(std::string_view option, std::string_view name, const Named<Enum> (&known)[count]) {
  for (const Named<Enum>& each : known)
    if (each.name == name) return each.value;
  std::string message = std::string(option) + " must be one of";
  for (const Named<Enum>& each : known) message += " '" + std::string(each.name) + "'";
  throw std::invalid_argument(message);
}

}  // namespace scrimp
