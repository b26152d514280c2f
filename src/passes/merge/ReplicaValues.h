// Values that can be computed anew for any replica, and what a condition says of all replicas together.
#pragma once

#include <optional>

#include "passes/merge/ReplicaMasks.h"

namespace hone::passes {

class ReplicaValues {
 public:
  ReplicaValues(const ir::StmtPtr& body, const Replicas& replicas, const ReplicaMasks& masks);

  // How a variable is computed that differs between replicas, is set once and depends on nothing that changes
  // in its scope: integers, conditions and addresses without loads. Null for others.
  ir::ExprPtr definition(const ir::Variable& var) const;
  // Reads no memory and names nothing that changes while it is in scope.
  bool isSteady(const ir::ExprPtr& e) const;

  // Whether all parts hold for some replica along the axes `drop`, the others as they are: exact, or nothing.
  // Every part must be the more true the lower (or the higher) the number of the replica.
  std::optional<std::vector<ir::ExprPtr>> forSome(const std::vector<ir::ExprPtr>& parts, AxisMask drop) const;

  // With the number of the replica along an axis put in; nothing where a variable hides it.
  std::optional<ir::ExprPtr> at(const ir::ExprPtr& e, unsigned axis, int64_t number) const;

 private:
  // How a value goes with the number of the replica: 0 not at all, 1 up, -1 down; nothing: not known.
  std::optional<int> slope(const ir::ExprPtr& e, AxisMask axis) const;
  // The same of a value that is cut down to a signed number of so many bits: sums, differences and products
  // of that width or more are those of their parts cut down before, and like a sum of signed numbers they are
  // taken to stay in its range.
  std::optional<int> slopeCutDown(const ir::ExprPtr& e, AxisMask axis, unsigned bits) const;
  std::optional<int> slopeOf(const ir::Binary& op, std::optional<int> left, std::optional<int> right) const;
  std::optional<int> truthSlope(const ir::ExprPtr& cond, AxisMask axis) const;
  // Of coordinates and numbers alone: ids fit into 32 bits, also where OpenCL computes them in 64.
  bool isMadeOfIds(const ir::ExprPtr& e) const;
  // Whether a sum of unsigned numbers with this one is the same among all integers. Parameters may stand for
  // negative numbers: 4294967295 for -1.
  bool mayBeAdded(const ir::ExprPtr& e) const;
  bool isNonNegative(const ir::ExprPtr& e) const;
  const Replicas& replicas;
  const ReplicaMasks& masks;
  std::set<const ir::Variable*>
      changing;  // assigned after their declaration, or with an address that is known
  std::map<const ir::Variable*, ir::ExprPtr> definitions;
};

ir::ExprPtr conjunction(const std::vector<ir::ExprPtr>& parts);

// The body with 0 as the first value of these variables, which only some threads set otherwise, where such a
// value exists.
ir::StmtPtr withFirstValues(const ir::StmtPtr& body, const std::set<const ir::Variable*>& variables);

}  // namespace hone::passes
