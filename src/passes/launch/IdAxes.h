// A flat id laid out along the axes of a grid: id = (z * h + y) * w + x.
#pragma once

#include "passes/launch/FlatIds.h"

namespace hone::passes {

struct IdAxes {
  // What one step along each axis is in ids: 1 along x, w along y, w * h along z.
  std::vector<Extent> steps;
  // Ids there are, where they fill all rows; nothing: the last axis has no end of its own.
  std::optional<Extent> whole;
  ir::TypePtr type;             // of the ids
  std::vector<ir::VarPtr> ids;  // along each axis

  // Up to which an axis goes; nothing: it has no end of its own.
  std::optional<Extent> extentOf(size_t axis) const;
  // A digit of the flat id; null where it lies across the axes.
  ir::ExprPtr of(const Digit& digit) const;
};

// The body with digits of flat ids made from the axes, and tests that the id is below the whole left out.
// Variables that are declared as the id along an axis become `axes.ids`, if they may.
ir::StmtPtr withAxes(const ir::StmtPtr& body, const FlatIds& flat, IdAxes& axes,
                     const std::set<const ir::Variable*>& mayName);

// How long divisions and remainders of whole numbers take, weighed by loops around them.
uint64_t divisionCost(const ir::StmtPtr& body);

}  // namespace hone::passes
