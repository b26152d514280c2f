// The making of one sum from halving steps; private to GridSums.cpp and HalvingSteps.cpp.
#pragma once

#include <map>
#include <set>

#include "ir/Walk.h"
#include "passes/edit/Names.h"
#include "passes/reduce/ReductionLoop.h"
#include "passes/sequence/GridSums.h"

namespace hone::passes {

// How two values become one in a step.
struct Joining {
  std::optional<ir::BinaryOp> op;
  const ir::Intrinsic* call = nullptr;
};

class GridSummer {
 public:
  GridSummer(const ir::PlanPtr& plan, const ir::LaunchStep& launch, const ir::KernelPtr& structuredKernel,
             const PassContext& context);

  ir::PlanPtr run();
  bool isWhole() const { return isCollapsed; }
  ir::SourceLoc where() const { return tree->loc; }
  const std::string& arrayName() const { return array->name; }
  // An expression that is itself an id, not a variable that holds one.
  bool isPlainId(const ir::ExprPtr& e) const {
    return (e->is<ir::Binary>() || e->is<ir::Coord>()) && isId(e);
  }

 private:
  // A variable that has one value as that value, without conversions between integers of 32 bits and more.
  ir::ExprPtr resolved(const ir::ExprPtr& e) const;
  bool isCoord(const ir::ExprPtr& e, ir::CoordKind kind) const;
  template <class A, class B> static bool eitherWay(const ir::Binary& b, A a, B other) {
    return (a(b.lhs) && other(b.rhs)) || (a(b.rhs) && other(b.lhs));
  }
  bool isProduct(const ir::ExprPtr& e, ir::CoordKind a, ir::CoordKind b) const;
  bool isId(const ir::ExprPtr& e) const;
  bool isCount(const ir::ExprPtr& e) const;
  bool isOf(const ir::ExprPtr& e, const ir::VarPtr& var) const;
  bool isHalf(const ir::ExprPtr& e, const std::function<bool(const ir::ExprPtr&)>& ofWhat) const;
  // The element of the array that an expression is; null: none.
  ir::ExprPtr indexIn(const ir::ExprPtr& e) const;
  bool isOwn(const ir::ExprPtr& e) const;

  void find();
  static bool holdsBarrier(const ir::StmtPtr& s);
  static bool holdsShared(const ir::StmtPtr& s);

  // for (s = threads / 2; s > 0; s /= 2) { barrier; if (x < s) part[x] += part[x + s]; }
  bool matchSteps(const ir::For& loop, bool barrierBefore);

  // What follows the steps: by thread 0 alone, which knows the sum.
  void takeRest(const ir::StmtPtr& s);

  // Whether an expression is the same for all threads.
  bool isUniform(const ir::ExprPtr& e, const std::set<const ir::Variable*>& own) const;

  // for (i = x; i < n; i += threads) over all threads is for (i = 0; i < n; ++i).
  bool asOneLoop(ir::Kernel& copy);
  bool assignedBetween(size_t from, size_t to, const ir::Variable* var) const;
  bool isNeutral(const ir::ExprPtr& e) const;

  // for (x = 0; x < threads; ++x) { …; sum += value; }
  void asLoopOverThreads(ir::Kernel& copy);

  // Any order of the values must give the same, or the user permits another one.
  void checkOrder(const ir::KernelPtr& made);
  bool isSameHow(const Accumulator& one) const;

  const ir::PlanPtr& plan;
  const ir::LaunchStep& launch;
  ir::KernelPtr kernel;
  const PassContext& context;
  Names names;
  std::map<const ir::Variable*, const ir::Declare*> declarations;
  std::set<const ir::Variable*> assigned;
  ir::StmtList before, after;  // of the store; of the loop, by thread 0
  ir::StmtPtr store, tree;
  ir::VarPtr array, sum;
  ir::ExprPtr value;  // of a thread
  Joining how;
  bool isCollapsed = false;
};

}  // namespace hone::passes
