// What of a kernel differs between the threads of the original that one thread is to stand for.
#pragma once

#include <array>
#include <map>
#include <set>

#include "ir/Walk.h"

namespace hone::passes {

// One bit per axis of the replicas, 1 for x.
using AxisMask = uint8_t;

// The number of a replica along each axis stands in the body as one of these variables, which nothing
// declares; null: one replica only.
struct Replicas {
  std::array<ir::VarPtr, 3> number;
  std::array<unsigned, 3> count{1, 1, 1};
  bool ownShared = false;  // replicas are of different blocks, each with shared memory of its own
  std::set<const ir::Variable*> apart = {};  // shared arrays to be taken for different in any case
  std::vector<ir::ExprPtr> holds = {};       // conditions without numbers of replicas that always hold
  AxisMask all() const;
  AxisMask axisOf(const ir::Variable& var) const;  // 0: no number of a replica
};

// Values of two replicas that differ only along axes outside a mask are equal, when both are at the same
// statement in the same iterations of all loops, and those were the same for both. Loads count as equal where
// their addresses are: replicas are threads that nothing orders but barriers, which they reach together, so a
// store to what another one loads would be a race of the original.
class ReplicaMasks {
 public:
  ReplicaMasks(const ir::StmtPtr& body, const Replicas& replicas);

  AxisMask of(const ir::ExprPtr& e) const;
  AxisMask of(const ir::Variable& var) const;
  // Axes along which a statement must be repeated: what it computes and writes; of a loop or choice what
  // decides its way, jumps included.
  AxisMask needs(const ir::Stmt& s) const;
  // The same with all that stands below it.
  AxisMask needsBelow(const ir::StmtPtr& s) const;
  // What decides whether a thread returns before the end.
  AxisMask ofReturns() const { return returns; }

 private:
  friend class MaskWalk;
  void add(const ir::Variable& var, AxisMask mask);

  const Replicas& replicas;
  std::map<const ir::Variable*, AxisMask> variables;
  std::map<const ir::Stmt*, AxisMask> jumps;  // of loops and switches: what decides on leaving them early
  std::set<const ir::Variable*> takenAddresses;
  AxisMask returns = 0;
  bool changed = false;
};

}  // namespace hone::passes
