// An allocator for blocks of many sizes.
//
//     slab 0                   slab 1                   slab 2
//     +------+---+---+---+---+ +------+-----+-----+---+ +------+----
//     | head | a | b | . | c | | head |  d  |  .  |   | | head |  ...
//     +------+---+---+---+---+ +------+-----+-----+---+ +------+----
//
// The blocks of a slab have one size, in units of four bytes. A slab without blocks can be used for any size. If there
// is neither a block of the right size nor an empty slab, a larger block is used. The free blocks of a slab are linked;
// those after `untouched` were never used.
//
// The free memory may have the wrong size: enough small blocks, but spread over many slabs. Then `close_slabs` closes
// slabs whose blocks fit into the other slabs of their size; when all their blocks were moved, they are empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/memory.h"

namespace scrimp {

class BlockArena {
 public:
  /// The number of a block's first unit.
  using Place = std::uint32_t;
  static constexpr std::size_t unit_bytes = 4;
  static constexpr Place most_places = Place{1} << 31;  // places are below this
  static constexpr Place nowhere = ~Place{0};

  BlockArena(std::size_t most_bytes, Budget& budget);

  /// `nowhere` if there is no room.
  Place allocate(std::size_t bytes);
  void free(Place place);

  /// From any place on, as many bytes as the largest block has, and eight more, may be read.
  std::byte* at(Place place) const { return region_.data() + std::size_t{place} * unit_bytes; }

  /// Whether moving blocks would empty enough slabs to be worthwhile.
  bool can_close_slabs() const { return emptiable_ != 0 && emptiable_ >= slabs_ / 16; }
  /// From now on `must_move` holds for some blocks until they have been moved; no other change may be made meanwhile.
  void close_slabs();
  bool must_move(Place place) const { return slab(place / slab_units_).is_closed; }
  Place move(Place place);

  std::uint64_t bytes() const { return region_.bytes(); }

 private:
  using Number = std::uint32_t;
  static constexpr Number none = ~Number{0};

  struct Slab {
    Number before, next;  // in the list of slabs of its size with room, or of empty slabs
    std::uint16_t size;   // of a block, in units
    std::uint16_t used;
    std::uint16_t untouched;
    std::uint16_t first_free;  // counted from 1; 0: none
    std::uint16_t is_closed;
  };
  static constexpr std::size_t head_units = (sizeof(Slab) + unit_bytes - 1) / unit_bytes;

  struct SizeClass {
    Number with_room = none;
    std::uint64_t free_blocks = 0;
  };

  Slab& slab(Number number) const { return *reinterpret_cast<Slab*>(at(number * slab_units_)); }
  std::uint32_t blocks_in_slab(std::size_t size) const {
    return static_cast<std::uint32_t>((slab_units_ - head_units) / size);
  }
  Place place_of(Number number, std::uint32_t block, std::size_t size) const {
    return static_cast<Place>(number * slab_units_ + head_units + block * size);
  }

  Number slab_for(std::size_t size);
  bool open_slab(std::size_t size);
  bool grow();
  Place take_block(Number number);
  void link(Number& list, Number number);
  void unlink(Number& list, Number number);
  void add_free(std::size_t size, std::uint32_t count);
  void remove_free(std::size_t size, std::uint32_t count);

  std::size_t slack_bytes_;  // beyond the last slab
  std::uint32_t slab_units_;
  Region region_;
  std::uint64_t slabs_ = 0;
  Number empty_ = none;
  std::vector<SizeClass> classes_;  // by size
  std::uint64_t emptiable_ = 0;     // number of slabs that the free blocks of their size would fill
};

}  // namespace scrimp
