// What the threads of a group hold, as one thread that does the work of all of them would: for values of
// variables and for expressions.
#pragma once

#include "passes/reduce/TreeRun.h"

namespace hone::passes {

enum class Held : uint8_t {
  Same,   // all threads have it, and so would the one
  First,  // the first thread has what the one would have
  Part,   // what the threads have, put together, is what the one would have
  Lost    // no thread needs to have it
};

struct HeldValue {
  Held held = Held::Same;
  Combine how = Combine::Add;  // Part
  ir::ExprPtr number = {};     // Same: the literal that it is; null: none, or not known

  bool is(Held k) const { return held == k; }
  // The one for what may be either.
  static HeldValue either(const HeldValue& a, const HeldValue& b);
  bool operator==(const HeldValue& other) const {
    return held == other.held && (!is(Held::Part) || how == other.how) && number == other.number;
  }
};

// Whether threads that hold this have parts of a sum of which one has the value and the others nothing.
bool mayBePart(const HeldValue& value, Combine how);

// Whole numbers that each thread of a block knows by its place in it.
class GroupNumbers {
 public:
  // `lanes`: neighbouring threads that are one group; `groupOf`: the number of a thread's group in its block,
  // null where there is one.
  GroupNumbers(const TreeKernel& treeKernel, unsigned groupLanes, ir::VarPtr groupOf)
      : of(treeKernel), lanes(groupLanes), group(std::move(groupOf)), scan(treeKernel, {}) {}

  // Of each thread; null: not known.
  const std::vector<int64_t>* find(const ir::ExprPtr& e);
  // Whether threads of one group know the same.
  bool areSame(const std::vector<int64_t>& numbers) const;
  bool areOne(const std::vector<int64_t>& numbers) const;
  // By how much each thread of a group has more than the one before it; nothing: they differ in that.
  std::optional<int64_t> stepOf(const std::vector<int64_t>& numbers) const;
  // What the first thread of each group has, by the number of its group; null: there is no such sum.
  ir::ExprPtr ofFirst(const std::vector<int64_t>& numbers, const ir::TypePtr& type) const;
  // Whether a condition holds in no other than first threads.
  bool isFirstAlone(const ir::ExprPtr& cond);

 private:
  const TreeKernel& of;
  unsigned lanes;
  ir::VarPtr group;
  TreeRun scan;
  std::map<const ir::Expr*, std::pair<ir::ExprPtr, std::vector<int64_t>>> known;
};

// States of variables.
class HeldValues {
 public:
  explicit HeldValues(GroupNumbers& numbersOfThreads) : numbers(numbersOfThreads) {}

  using States = std::map<const ir::Variable*, HeldValue>;
  States states;  // of those that were assigned or declared

  HeldValue find(const ir::ExprPtr& e);
  HeldValue find(const ir::Variable& var) const;
  // The states of two ways that lead to one place.
  static States either(const States& a, const States& b);

 private:
  GroupNumbers& numbers;

  HeldValue ofCast(const ir::Cast& cast, const ir::Type& type);
};

}  // namespace hone::passes
