// The statements of a block, or of a part of it, that puts sums together, as one thread would do them: loops
// whose iterations the threads share become plain ones, trees and barriers go, what the first thread alone
// does is done.
#pragma once

#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/reduce/HeldValues.h"
#include "passes/reduce/TreeRewriter.h"

namespace hone::passes {

// A loop of the one thread whose iterations the threads shared: they must not depend on each other.
struct DealtLoop {
  ir::StmtPtr loop;
  std::vector<std::pair<ir::VarPtr, Combine>> sums;
  bool stores = false;  // to memory
};

class AsOneThread {
 public:
  // `marks` stand for trees of groups of `lanes` neighbouring threads; `group`: the number of a thread's
  // group in its block, null where that is the block.
  AsOneThread(const TreeKernel& treeKernel, const TreeMarks& treeMarks, unsigned groupLanes,
              const ir::VarPtr& group, Names& itsNames)
      : of(treeKernel),
        marks(treeMarks),
        lanes(groupLanes),
        names(itsNames),
        numbers(treeKernel, groupLanes, group),
        values(numbers) {}

  // The body that is left; refuses where one thread cannot do it.
  Result<ir::StmtPtr> write(const ir::StmtPtr& body);
  const std::vector<DealtLoop>& loops() const { return dealt; }

 private:
  // Who does a statement: all threads of a group, the first one, or each its share of a loop's iterations.
  enum class By : uint8_t { All, First, Share };
  // One value in shared memory, which the one thread keeps to itself.
  struct Cell {
    const ir::Variable* array;
    std::vector<int64_t> at;
    ir::VarPtr own;
  };

  const TreeKernel& of;
  const TreeMarks& marks;
  unsigned lanes;
  Names& names;
  GroupNumbers numbers;
  HeldValues values;
  std::map<const ir::Variable*, std::vector<int64_t>> offsets;  // of variables: by how much threads differ
  std::vector<Cell> cells;
  std::vector<DealtLoop> dealt;
  std::vector<By> around;  // who goes through the loops around

  ir::StmtList statement(const ir::StmtPtr& s, By by);
  ir::StmtPtr blockOf(const ir::StmtPtr& s, By by);
  ir::StmtList declare(const ir::Declare& d, const ir::StmtPtr& s, By by);
  ir::StmtList assignment(const ir::Assign& a, const ir::StmtPtr& s, By by);
  ir::StmtList store(const ir::Assign& a, const ir::StmtPtr& s, By by);
  ir::StmtList mark(const ir::StmtPtr& s, const TreeTotal& total);
  ir::StmtList call(const ir::ExprPtr& e, const ir::StmtPtr& s, By by);
  ir::StmtList choice(const ir::If& node, const ir::StmtPtr& s, By by);
  // A loop that all who do it go through alike.
  ir::StmtList loop(const ir::StmtPtr& s, By by);
  ir::StmtList onceThrough(const ir::StmtPtr& s, By by);
  // A loop whose iterations are dealt out to the threads, one by one; nothing: it is none.
  std::optional<ir::StmtList> shared(const ir::For& node, const ir::StmtPtr& s);
  std::map<ir::VarPtr, Combine> sumsIn(const ir::StmtPtr& body) const;
  bool addUp(const ir::ExprPtr& e, std::vector<int64_t>& sum);

  // What may be known where it is used; refuses what may not.
  HeldValue used(const ir::ExprPtr& e, By by);
  // Whether a call does more than compute, as a whole value may.
  static bool isEffect(const ir::ExprPtr& e);
  void set(const ir::VarPtr& var, const HeldValue& value, By by);
  // An expression as the one thread computes it.
  ir::ExprPtr rewritten(const ir::ExprPtr& e);
  class OneThreadExprs;
  // The number that a variable stands for, in the first thread of a group; null: it is none.
  ir::ExprPtr knownNumber(const ir::VarPtr& var, const ir::ExprPtr& e);
  ir::VarPtr cellOf(const ir::ExprPtr& place);
};

}  // namespace hone::passes
