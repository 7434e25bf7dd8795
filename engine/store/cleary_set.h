// compress=cleary: states in a quotient table (store/quotient_table.h), which stores only part of each.
//
//     packed     state  --used bits as one number, mixed-->  QuotientTable
//     by tree    state  --Tree-->  (left, right)  --PairCode-->  QuotientTable
//
// States of more than 64 used bits go through the tree (store/tree.h), which turns each into a pair of small numbers.
// Smaller states are their own numbers at first. While the set is small, its states are reviewed now and then: packed
// states are converted to a tree if that takes much less memory, its tables included, and a tree is replaced by a
// better one.
#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "store/bit_ranges.h"
#include "store/pair_code.h"
#include "store/quotient_table.h"
#include "store/scattered.h"
#include "store/tree.h"
#include "store/tree_fitting.h"

namespace scrimp {

/// `Words` is as in PlainSet. Each state has `annotation_bits` bits of annotation, at most eight.
template <std::uint32_t Words, unsigned annotation_bits = 0>
class ClearySet {
 public:
  static constexpr bool is_compressed = true;
  static constexpr std::size_t annotations = annotation_bits != 0;
  static constexpr bool keys_are_hashes = false;
  static_assert(annotation_bits <= QuotientTable::most_annotation_bits);

  ClearySet(const Machine& machine, Budget& budget, Growth growth = Growth::modest)
      : machine_(machine),
        packed_(machine, 1, std::clamp(used_bits(machine), 2u, most_packed_bits + 1)),
        mixer_(packed_.bits()),
        code_(Tree::Pair{first_number, first_number}),
        table_(budget, is_packable() ? packed_.bits() : code_.bits(), 0, annotation_bits, growth) {
    if (!is_packable()) tree_.emplace(machine, budget, Numbers::narrow);
  }

  /// A set for `expected` states, of which some were chosen at random: what tree suits these suits all.
  ClearySet(const Machine& machine, Budget& budget, Growth growth, std::uint64_t expected,
            const std::vector<Word>& sample)
      : ClearySet(machine, budget, growth) {
    if (is_packable()) return;
    const Cuts cuts(machine, sample);
    if (double(cuts.parts(machine, sample)) > most_parts * double(Cuts().parts(machine, sample))) return;
    tree_.emplace(machine, budget, Numbers::narrow, cuts);
    reviews_.next(expected);
  }

  Insertion insert(const Word* state) {
    if (!tree_) return reviewed(table_.insert(pack(state)));
    Tree::Pair pair;
    return tree_->number(state, 1, &pair) == 0 ? Insertion::no_room : insert(pair);
  }

  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    Word codes[Tree::block];
    for (std::uint32_t done = 0; done < count;) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      const std::uint32_t coded = encode(states + std::size_t{done} * words(), part, codes);
      table_.insert(codes, coded, results + done);
      done += coded;
      if (coded < part) {  // the next one needs wider codes, or there is no room
        results[done] = insert(states + std::size_t{done} * words());
        ++done;
      }
      if (reviews_.due(size())) [[unlikely]]
        review();
    }
  }

  /// Whether states are packed, and will always be. Then many new ones can be added at once: see QuotientTable.
  bool stays_packed() const { return !tree_ && reviews_.are_over(); }
  std::size_t bytes_to_absorb(std::uint64_t states, std::uint64_t memory) const {
    return table_.bytes_to_absorb(states, memory);
  }
  Word packed(const Word* state) const { return pack(state); }
  bool absorb(Region packed, std::uint64_t count, std::size_t bytes) {
    return table_.absorb(std::move(packed), count, bytes);
  }

  /// A key is the pair that the tree makes of a state, with the version of the tree; or zero if there is no tree or no
  /// room.
  void prepare(const Word* states, std::uint32_t count, Word* keys) {
    Tree::Pair pairs[Tree::block];
    for (std::uint32_t done = 0; done < count; done += std::min(Tree::block, count - done)) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      const Word* const first = states + std::size_t{done} * words();
      const std::uint32_t numbered = tree_ ? tree_->number(first, part, pairs) : 0;
      for (std::uint32_t i = 0; i < numbered; ++i) {
        keys[done + i] = reviews_.stamped(pairs[i].word());
        if (code_.fits(pairs[i])) table_.prefetch(code_(pairs[i]));
      }
      for (std::uint32_t i = numbered; i < part; ++i) {
        keys[done + i] = 0;
        if (!tree_) table_.prefetch(pack(first + i * words()));
      }
    }
  }

  /// A state of an annotated set.
  struct AnnotatedEntry {
    Insertion insertion;
    QuotientTable* table = nullptr;
    Word code = 0;

    QuotientTable::Entry annotation() const { return {*table, code}; }
    void annotate(const Word* value) const { annotation() = *value; }
  };
  using Entry = std::conditional_t<annotations == 0, Visited, AnnotatedEntry>;

  Entry visit(const Word* state, Word key) {
    const bool is_current = key != 0 && reviews_.is_current(key);
    const Insertion insertion = is_current ? insert(Tree::pair_of(Reviews::unstamped(key))) : insert(state);
    if constexpr (annotations == 0) {
      return {insertion};
    } else {
      if (insertion == Insertion::no_room) return {insertion};
      return {insertion, &table_, code_of(state)};
    }
  }

  bool contains(const Word* state) const {
    if (!tree_) return table_.contains(pack(state));
    const std::optional<Tree::Pair> pair = tree_->find(state);
    return pair && code_.fits(*pair) && table_.contains(code_(*pair));
  }

  /// The table's number for a state of the set.
  Word code_of(const Word* state) const { return tree_ ? code_(*tree_->find(state)) : pack(state); }

  /// Turns numbers of the table back into states, as long as no state is inserted.
  class Reader {
   public:
    explicit Reader(const ClearySet& set) : set_(set) {
      if (set.tree_) tree_.emplace(*set.tree_);
    }
    /// Whether there was room for its memory.
    bool good() const { return !tree_ || tree_->good(); }

    void read(Word code, Word* state) const {
      if (tree_) {
        tree_->read(set_.code_.pair(code), state);
      } else {
        set_.unpack(code, state);
      }
    }

   private:
    const ClearySet& set_;
    std::optional<Tree::Reader> tree_;
  };

  /// The tree, if there is one. Once its tables were handed over, nothing but `for_each_pair` may be called.
  Tree* tree() { return tree_ ? &*tree_ : nullptr; }
  template <class Use>
  void for_each_pair(Use use) const {
    table_.for_each([&](Word code, Word) { use(code_.pair(code)); });
  }

  std::size_t row_words() const { return words() + annotations; }
  template <class Use>
  bool for_each_row(Use use) const {
    const Reader reader(*this);
    if (reader.good()) read_rows<RowOrder::scattered>(reader, use);
    return reader.good();
  }
  bool add_row(const Word* row) {
    const Entry entry = scrimp::visit(*this, row);
    if (entry.insertion != Insertion::fresh) return false;
    entry.annotate(row + words());
    return true;
  }

  const QuotientTable& table() const { return table_; }
  std::uint64_t size() const { return table_.size(); }
  std::uint64_t bytes() const { return table_.bytes() + (tree_ ? tree_->bytes() : 0); }
  std::uint64_t state_bytes() const { return table_.state_bytes() + (tree_ ? tree_->state_bytes() : 0); }

  using Scratch = Tree::Scratch;

  using Section = QuotientTable::Section;

  bool can_share() const
    requires(annotations == 0)
  {
    return table_.can_share();
  }
  void review_if_due() {
    if (reviews_.due(size())) review();
  }

  std::size_t code_words() const { return 1; }
  bool codes_at_once() const { return !tree_; }
  bool codes_cheaply() const { return false; }
  /// A code is the pair that the tree makes of a state: how pairs are coded may change while others are numbered.
  void look_up(const Word* states, std::uint32_t count, Word* codes, Scratch& scratch) const {
    if (!tree_) {
      for (std::uint32_t i = 0; i < count; ++i) codes[i] = pack(states + std::size_t{i} * words());
      return;
    }
    for (std::uint32_t done = 0; done < count; done += std::min(Tree::block, count - done))
      tree_->find(states + std::size_t{done} * words(), std::min(Tree::block, count - done), codes + done, scratch);
  }
  bool number(const Word* states, std::uint32_t count, Word* codes) {
    Tree::Pair pairs[Tree::block];
    for (std::uint32_t done = 0; done < count; done += std::min(Tree::block, count - done)) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      if (tree_->number(states + std::size_t{done} * words(), part, pairs) < part) return false;
      for (std::uint32_t i = 0; i < part; ++i) {
        if (!make_fit(pairs[i])) return false;
        codes[done + i] = pairs[i].word();
      }
    }
    return true;
  }
  void place(Word* codes, std::uint32_t count, Shard* shards) const {
    for (std::uint32_t i = 0; tree_ && i < count; ++i) codes[i] = code_(Tree::pair_of(codes[i]));
    table_.place(codes, count, shards);
  }
  bool make_room(std::uint64_t codes, const Crew& crew) { return table_.make_room(codes, crew); }
  Section section(std::uint32_t shard) const { return table_.section(shard); }
  void fetch(const Section&, Codes codes) const { table_.fetch(codes); }
  void insert(const Section& section, Codes codes, Insertion* results, Codes next) {
    table_.insert(section, codes, results, next);
  }
  void count_inserted(std::uint64_t fresh) { table_.count_inserted(fresh); }
  Insertion insert_late(const Word* code) { return table_.insert(*code); }

 private:
  static constexpr unsigned most_packed_bits = 64;
  static constexpr std::uint32_t first_number = 15;
  /// Up to this size a table is rebuilt for wider numbers, so that all their bits are mixed; larger tables are widened.
  static constexpr std::size_t most_remade_bytes = std::size_t{2} << 20;
  /// Bits by which the numbers of a tree are expected to grow after a review.
  static constexpr unsigned expected_growth = 3;
  /// A tree costs time: it must take at most this fraction of the memory of packed states.
  static constexpr double worthwhile = 0.75;
  /// Cuts that suit many states may have more parts than halves have for a few of them. If there are many more, states
  /// have little in common, and ranges are cut again and again.
  static constexpr double most_parts = 1.5;

  std::size_t words() const { return Words == 0 ? machine_.words : Words; }
  bool is_packable() const { return used_bits(machine_) <= most_packed_bits + 1; }
  Word pack(const Word* state) const { return mixer_(packed_(state)); }
  void unpack(Word packed, Word* state) const {
    std::fill(state, state + words(), 0);
    packed_.write(mixer_.inverse(packed), state);
    state[0] |= 1;
  }

  template <RowOrder order, class Use>
  void read_rows(const Reader& reader, Use use) const {
    std::vector<Word> row(row_words());
    const auto read_row = [&](Word code, Word annotation) {
      reader.read(code, row.data());
      if constexpr (annotations != 0) row[words()] = annotation;
      use(static_cast<const Word*>(row.data()));
    };
    for_each_in<order>(table_.parts(), [&](std::uint64_t part) { table_.for_each_in(part, read_row); });
  }

  Insertion insert(Tree::Pair pair) {
    return make_fit(pair) ? reviewed(table_.insert(code_(pair))) : Insertion::no_room;
  }

  bool make_fit(Tree::Pair pair) {
    while (!code_.fits(pair))
      if (!widen(pair)) return false;
    return true;
  }

  /// Codes states until one does not fit; returns how many were coded.
  std::uint32_t encode(const Word* states, std::uint32_t count, Word* codes) {
    if (!tree_) {
      for (std::uint32_t i = 0; i < count; ++i) codes[i] = pack(states + i * words());
      return count;
    }
    Tree::Pair pairs[Tree::block];
    const std::uint32_t numbered = tree_->number(states, count, pairs);
    for (std::uint32_t i = 0; i < numbered; ++i) {
      if (!code_.fits(pairs[i])) return i;
      codes[i] = code_(pairs[i]);
    }
    return numbered;
  }

  [[gnu::noinline]] bool widen(Tree::Pair pair) {
    if (table_.bytes() <= most_remade_bytes && !code_.has_extra_bits() && remake(pair)) return true;
    const PairCode wider = code_.widened_for(pair);
    if (!table_.recode(wider.bits(), [&](Word code) { return wider.recode(code); })) return false;
    code_ = wider;
    return true;
  }

  bool remake(Tree::Pair pair) {
    const PairCode wider = code_.based_for(pair);
    const auto for_each_code = [&](auto add) {
      table_.for_each([&](Word code, Word annotation) { add(wider(code_.pair(code)), annotation); });
    };
    if (!replace_table(wider.bits(), for_each_code)) return false;
    code_ = wider;
    return true;
  }

  /// Moves the entries that `for_each` lists to a table for numbers of `bits` bits. Returns false, with nothing
  /// changed, if there is no room.
  template <class ForEach>
  bool replace_table(unsigned bits, ForEach for_each) {
    QuotientTable table(table_.budget(), bits, table_.size(), annotation_bits, table_.growth());
    bool complete = true;
    Word block[Tree::block] = {};
    std::uint32_t count = 0;
    const auto insert_block = [&] {
      Insertion results[Tree::block];
      table.insert(block, count, results);
      complete = complete && std::count(results, results + count, Insertion::fresh) == count;
      count = 0;
    };
    for_each([&](Word code, Word annotation) {
      if constexpr (annotations != 0) {
        complete = complete && table.insert(code) == Insertion::fresh;
        if (complete) QuotientTable::Entry(table, code) = annotation;
      } else {
        block[count++] = code;
        if (count == Tree::block) insert_block();
      }
    });
    insert_block();
    if (!complete) return false;
    table_ = std::move(table);
    return true;
  }

  Insertion reviewed(Insertion result) {
    if (reviews_.due(size())) [[unlikely]]
      review();
    return result;
  }

  /// Converts to a tree that is fitted to the states, unless it saves too little.
  [[gnu::noinline]] void review() {
    reviews_.next(size());
    if (tree_ && (code_.has_extra_bits() || tree_->state_bytes() * 20 < table_.state_bytes())) return;
    const Reader reader(*this);
    if (!reader.good()) return;
    Region pairs(table_.budget());
    const std::uint64_t pair_bytes = size() * sizeof(Word);
    const bool keeps_pairs = pair_bytes <= table_.budget().left() / 4 && pairs.resize(pair_bytes);
    const std::uint64_t most = tree_ ? tree_->state_bytes() * 4 / 5 : most_table_bytes();
    const auto for_each_state = [&](auto use) { read_rows<RowOrder::as_stored>(reader, use); };
    std::optional<Tree> tree = fitted_tree(machine_, table_.budget(), Numbers::narrow, most, for_each_state,
                                           keeps_pairs ? pairs.as<Word>() : nullptr);
    if (!tree) return;
    const PairCode code(tree->greatest());
    if (!tree_ && !is_worthwhile(*tree, code)) return;
    const auto for_each_code = [&](auto add) {
      if (const Word* pair = pairs.as<Word>(); keeps_pairs)  // otherwise they are made once more
        return table_.for_each([&](Word, Word annotation) { add(code(Tree::pair_of(*pair++)), annotation); });
      read_rows<RowOrder::as_stored>(reader, [&](const Word* row) {
        Tree::Pair pair{};
        tree->number(row, 1, &pair);
        add(code(pair), annotations != 0 ? row[words()] : 0);
      });
    };
    if (!replace_table(code.bits(), for_each_code)) return;
    tree_ = std::move(tree);
    code_ = code;
    reviews_.replaced();
  }

  /// The maximal memory of a tree and the codes of its pairs, compared with packed states.
  std::uint64_t most_table_bytes() const {
    return static_cast<std::uint64_t>(worthwhile * table_.stored_bits(packed_.bits()) / 8 * double(size()));
  }
  bool is_worthwhile(const Tree& tree, const PairCode& code) const {
    const double codes = table_.stored_bits(code.bits() + expected_growth) / 8 * double(size());
    return static_cast<std::uint64_t>(codes) + tree.state_bytes() <= most_table_bytes();
  }

  const Machine& machine_;
  BitRange packed_;
  BitMixer mixer_;
  Reviews reviews_;
  std::optional<Tree> tree_;
  PairCode code_;
  QuotientTable table_;
};

static_assert(EnumerableSet<ClearySet<0>> && EnumerableSet<ClearySet<1>> && EnumerableSet<ClearySet<2, 2>>);
static_assert(ShardableSet<ClearySet<0>> && ShardableSet<ClearySet<2>> && !ShardableSet<ClearySet<2, 2>>);

}  // namespace scrimp
