// compress=tree: states as pairs of numbers, eight bytes each (store/tree.h), in a plain set of words.
//
//     state  --Tree-->  (left, right)  --as one word-->  PlainSet<1>
//
// States whose used bits fit one word are packed into it and need no tree. While the set is small, the tree is replaced
// when the states suggest a better one.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "store/bit_ranges.h"
#include "store/plain_set.h"
#include "store/tree.h"
#include "store/tree_fitting.h"

namespace scrimp {

/// `Words` is as in PlainSet; `Roots` is a set of words.
template <std::uint32_t Words, class Roots>
class RootSet {
 public:
  static constexpr std::size_t annotations = Roots::annotations;
  static constexpr bool keys_are_hashes = false;

  RootSet(const Machine& machine, Budget& budget) : machine_(machine), budget_(budget), roots_(budget, 1) {
    if (used_bits(machine) <= 64) {
      packed_.emplace(machine, 0, used_bits(machine));
    } else {
      tree_.emplace(machine, budget, Numbers::any);
    }
  }

  Insertion insert(const Word* state) {
    Word root;
    return number_all(state, 1, &root) == 0 ? Insertion::no_room : insert_root(root);
  }

  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    Word roots[Tree::block];
    for (std::uint32_t done = 0; done < count;) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      const std::uint32_t numbered = number_all(states + std::size_t{done} * words(), part, roots);
      roots_.insert(roots, numbered, results + done);
      done += numbered;
      if (numbered < part) results[done++] = Insertion::no_room;
      if (tree_ && reviews_.due(size())) [[unlikely]]
        review();
    }
  }

  /// A key is the root of the state, with the version of the tree, or zero if there was no room for it.
  void prepare(const Word* states, std::uint32_t count, Word* keys) {
    for (std::uint32_t done = 0; done < count; done += std::min(Tree::block, count - done)) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      const std::uint32_t numbered = number_all(states + std::size_t{done} * words(), part, keys + done);
      for (std::uint32_t i = done; i < done + numbered; ++i) {
        roots_.prefetch(keys[i]);
        if (tree_) keys[i] = reviews_.stamped(keys[i]);
      }
      std::fill(keys + done + numbered, keys + done + part, 0);
    }
  }

  typename Roots::Entry visit(const Word* state, Word key) {
    if (tree_ && reviews_.due(size())) [[unlikely]]
      review();
    Word root = key;
    if (tree_ && key != 0 && reviews_.is_current(key)) {
      root = Reviews::unstamped(key);
    } else if ((tree_ || key == 0) && number_all(state, 1, &root) == 0) {
      return {Insertion::no_room};
    }
    return roots_.visit(&root, roots_.key_of(&root));
  }

  bool contains(const Word* state) const {
    const Word root = find(state);
    return root != 0 && roots_.contains(&root);
  }

  std::size_t row_words() const { return words() + annotations; }
  template <class Use>
  bool for_each_row(Use use) const {
    std::optional<Tree::Reader> reader;
    if (tree_ && !reader.emplace(*tree_).good()) return false;
    read_rows<RowOrder::scattered>(reader, use);
    return true;
  }
  bool add_row(const Word* row) {
    const auto entry = scrimp::visit(*this, row);
    if (entry.insertion != Insertion::fresh) return false;
    entry.annotate(row + words());
    return true;
  }

  std::uint64_t size() const { return roots_.size(); }
  std::uint64_t bytes() const { return roots_.bytes() + (tree_ ? tree_->bytes() : 0); }
  std::uint64_t state_bytes() const { return roots_.state_bytes() + (tree_ ? tree_->state_bytes() : 0); }

  using Scratch = Tree::Scratch;

  using Section = typename Roots::Section;

  bool can_share() const
    requires ShardableSet<Roots>
  {
    return roots_.can_share();
  }
  void review_if_due() {
    if (tree_ && reviews_.due(size())) review();
  }

  std::size_t code_words() const { return 1; }
  bool codes_at_once() const { return !tree_; }
  bool codes_cheaply() const { return false; }
  void look_up(const Word* states, std::uint32_t count, Word* codes, Scratch& scratch) const {
    if (!tree_) return (*packed_)(states, words(), count, codes);
    for (std::uint32_t done = 0; done < count; done += std::min(Tree::block, count - done))
      tree_->find(states + std::size_t{done} * words(), std::min(Tree::block, count - done), codes + done, scratch);
  }
  bool number(const Word* states, std::uint32_t count, Word* codes) {
    for (std::uint32_t done = 0; done < count; done += std::min(Tree::block, count - done)) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      if (number_all(states + std::size_t{done} * words(), part, codes + done) < part) return false;
    }
    return true;
  }
  void place(Word* codes, std::uint32_t count, Shard* shards) const {
    typename Roots::Scratch none;
    roots_.look_up(codes, count, codes, none);
    roots_.place(codes, count, shards);
  }
  bool make_room(std::uint64_t codes, const Crew& crew) { return roots_.make_room(codes, crew); }
  Section section(std::uint32_t shard) const { return roots_.section(shard); }
  void fetch(const Section& section, Codes codes) const { roots_.fetch(section, codes); }
  void insert(const Section& section, Codes codes, Insertion* results, Codes next) {
    roots_.insert(section, codes, results, next);
  }
  void count_inserted(std::uint64_t fresh) { roots_.count_inserted(fresh); }
  Insertion insert_late(const Word* code) { return roots_.insert_late(code); }

 private:
  std::size_t words() const { return Words == 0 ? machine_.words : Words; }

  Insertion insert_root(Word root) {
    const Insertion result = roots_.insert(&root);
    if (tree_ && reviews_.due(size())) [[unlikely]]
      review();
    return result;
  }

  /// The words that stand for states; returns how many could be made.
  std::uint32_t number_all(const Word* states, std::uint32_t count, Word* roots) {
    if (!tree_) {
      (*packed_)(states, words(), count, roots);
      return count;
    }
    Tree::Pair pairs[Tree::block];
    const std::uint32_t numbered = tree_->number(states, count, pairs);
    for (std::uint32_t i = 0; i < numbered; ++i) roots[i] = pairs[i].word();
    return numbered;
  }

  /// The word that stands for a state, or zero if one of its parts is new.
  Word find(const Word* state) const {
    if (!tree_) return (*packed_)(state);
    const std::optional<Tree::Pair> pair = tree_->find(state);
    return pair ? pair->word() : 0;
  }

  template <RowOrder order, class Use>
  void read_rows(const std::optional<Tree::Reader>& reader, Use use) const {
    std::vector<Word> row(row_words());
    roots_.template for_each_row<order>([&](const Word* root) {
      if (reader) {
        reader->read(Tree::pair_of(*root), row.data());
      } else {
        std::fill_n(row.data(), words(), 0);
        packed_->write(*root, row.data());
      }
      std::copy_n(root + 1, annotations, row.data() + words());
      use(static_cast<const Word*>(row.data()));
    });
  }

  /// Replaces the tree by one with much smaller tables, if there is one.
  [[gnu::noinline]] void review() {
    reviews_.next(size());
    if (tree_->state_bytes() * 20 < roots_.state_bytes()) return;
    const std::optional<Tree::Reader> reader(std::in_place, *tree_);
    if (!reader->good()) return;
    const auto for_each_state = [&](auto use) { read_rows<RowOrder::as_stored>(reader, use); };
    std::optional<Tree> tree =
        fitted_tree(machine_, budget_, Numbers::any, tree_->state_bytes() * 4 / 5, for_each_state);
    if (!tree) return;
    Roots roots(budget_, 1);
    bool complete = true;
    read_rows<RowOrder::as_stored>(reader, [&](const Word* row) {
      Word root[1 + annotations];
      Tree::Pair pair{};
      tree->number(row, 1, &pair);
      root[0] = pair.word();
      std::copy_n(row + words(), annotations, root + 1);
      complete = complete && roots.add_row(root);
    });
    if (!complete) return;
    tree_ = std::move(tree);
    roots_ = std::move(roots);
    reviews_.replaced();
  }

  const Machine& machine_;
  Budget& budget_;
  std::optional<BitRange> packed_;
  std::optional<Tree> tree_;
  Reviews reviews_;
  Roots roots_;
};

/// `Words` and `Annotations` are as in PlainSet. A state of one word takes eight bytes as it is.
template <std::uint32_t Words, class... Annotations>
using TreeSet =
    std::conditional_t<Words == 1, PlainSet<1, Annotations...>, RootSet<Words, PlainSet<1, Annotations...>>>;

static_assert(EnumerableSet<TreeSet<0>> && EnumerableSet<TreeSet<1>> && EnumerableSet<TreeSet<2, Word>>);
static_assert(ShardableSet<TreeSet<0>> && ShardableSet<TreeSet<2>> && !ShardableSet<TreeSet<2, Word>>);

}  // namespace scrimp
