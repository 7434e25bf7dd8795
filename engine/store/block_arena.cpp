#include "store/block_arena.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/machine.h"
#include "store/growth.h"

namespace scrimp {
namespace {

constexpr std::size_t least_slab_bytes = 1024;

std::size_t units(std::size_t bytes) {
  return std::max<std::size_t>((bytes + BlockArena::unit_bytes - 1) / BlockArena::unit_bytes, 1);
}

}  // namespace

BlockArena::BlockArena(std::size_t most_bytes, Budget& budget)
    : slack_bytes_(most_bytes + sizeof(Word)),
      slab_units_(static_cast<std::uint32_t>(
          std::bit_ceil(std::max(least_slab_bytes, (units(most_bytes) + head_units) * unit_bytes)) / unit_bytes)),
      region_(budget),
      classes_(units(most_bytes) + 1) {}

BlockArena::Place BlockArena::allocate(std::size_t bytes) {
  const std::size_t size = units(bytes);
  const Number number = slab_for(size);
  return number == none ? nowhere : take_block(number);
}

/// A slab with room for this size: one of this size, or else of a larger one.
BlockArena::Number BlockArena::slab_for(std::size_t size) {
  if (classes_[size].with_room != none || open_slab(size)) return classes_[size].with_room;
  const auto has_room = [](const SizeClass& larger) { return larger.with_room != none; };
  const auto larger = std::find_if(classes_.begin() + static_cast<std::ptrdiff_t>(size), classes_.end(), has_room);
  return larger == classes_.end() ? none : larger->with_room;
}

BlockArena::Place BlockArena::take_block(Number number) {
  Slab& from = slab(number);
  const std::uint32_t blocks = blocks_in_slab(from.size);
  const std::uint32_t block = from.first_free != 0 ? from.first_free - 1u : from.untouched++;
  const Place place = place_of(number, block, from.size);
  if (from.first_free != 0) std::memcpy(&from.first_free, at(place), sizeof from.first_free);
  if (++from.used == blocks) unlink(classes_[from.size].with_room, number);
  remove_free(from.size, 1);
  return place;
}

void BlockArena::free(Place place) {
  const Number number = place / slab_units_;
  Slab& from = slab(number);
  std::memcpy(at(place), &from.first_free, sizeof from.first_free);
  from.first_free = static_cast<std::uint16_t>((place % slab_units_ - head_units) / from.size + 1);
  const std::uint32_t blocks = blocks_in_slab(from.size);
  const bool was_full = from.used-- == blocks;
  if (!from.is_closed) {
    add_free(from.size, 1);
    if (was_full) link(classes_[from.size].with_room, number);
  }
  if (from.used != 0) return;
  if (!from.is_closed) {
    unlink(classes_[from.size].with_room, number);
    remove_free(from.size, blocks);
  }
  from.is_closed = 0;
  link(empty_, number);
}

bool BlockArena::open_slab(std::size_t size) {
  if (empty_ == none && !grow()) return false;
  const Number number = empty_;
  unlink(empty_, number);
  slab(number) = {none, none, static_cast<std::uint16_t>(size), 0, 0, 0, 0};
  link(classes_[size].with_room, number);
  add_free(size, blocks_in_slab(size));
  return true;
}

bool BlockArena::grow() {
  const std::size_t slab_bytes = slab_units_ * unit_bytes;
  const std::size_t first_bytes =
      std::max<std::size_t>(first_share(region_.budget().left()), slab_bytes + slack_bytes_);
  if (slabs_ == 0 ? !region_.resize(first_bytes) : !enlarge(region_, slab_bytes)) return false;
  const std::uint64_t before = slabs_;
  slabs_ = std::min<std::uint64_t>((region_.bytes() - slack_bytes_) / slab_bytes, most_places / slab_units_);
  for (std::uint64_t i = slabs_; i-- > before;) link(empty_, static_cast<Number>(i));
  return slabs_ > before;
}

/// Closes, for each size, as many slabs as its free blocks would fill: the remaining slabs have room for their blocks.
void BlockArena::close_slabs() {
  for (std::size_t size = 1; size < classes_.size(); ++size) {
    SizeClass& same = classes_[size];
    for (std::uint64_t count = same.free_blocks / blocks_in_slab(size); count > 0; --count) {
      const Number number = same.with_room;
      Slab& closed = slab(number);
      unlink(same.with_room, number);
      remove_free(size, blocks_in_slab(size) - closed.used);
      closed.is_closed = 1;
    }
  }
}

BlockArena::Place BlockArena::move(Place place) {
  const std::size_t size = slab(place / slab_units_).size;
  const Place target = take_block(classes_[size].with_room);
  std::memcpy(at(target), at(place), size * unit_bytes);
  free(place);
  return target;
}

void BlockArena::link(Number& list, Number number) {
  Slab& added = slab(number);
  added.before = none;
  added.next = list;
  if (list != none) slab(list).before = number;
  list = number;
}

void BlockArena::unlink(Number& list, Number number) {
  const Slab& removed = slab(number);
  (removed.before == none ? list : slab(removed.before).next) = removed.next;
  if (removed.next != none) slab(removed.next).before = removed.before;
}

void BlockArena::add_free(std::size_t size, std::uint32_t count) {
  std::uint64_t& blocks = classes_[size].free_blocks;
  emptiable_ -= blocks / blocks_in_slab(size);
  blocks += count;
  emptiable_ += blocks / blocks_in_slab(size);
}

void BlockArena::remove_free(std::size_t size, std::uint32_t count) {
  std::uint64_t& blocks = classes_[size].free_blocks;
  emptiable_ -= blocks / blocks_in_slab(size);
  blocks -= count;
  emptiable_ += blocks / blocks_in_slab(size);
}

}  // namespace scrimp
