// Comparisons that can fail only for threads near a border, and the code without them.
#pragma once

#include <map>
#include <set>

#include "ir/Walk.h"

namespace hone::passes {

struct BorderForm {
  ir::StmtList stmts;              // what is done where `entry` holds; variables are those of the original
  std::vector<ir::ExprPtr> entry;  // before the statements: all comparisons left out would hold
  size_t tests = 0;                // comparisons left out, those in loops once an iteration
};

// Variables that hold a condition and keep it, declared outside: `bool inside = x < w;`.
using NamedConditions = std::map<const ir::Variable*, ir::ExprPtr>;

// `stmts` follow one another and have no barriers and returns. `changing` names variables that may change
// otherwise than by assignment in them. Left out is `x + dx < w` in loops over numbers of iterations, of
// values that do not change: parts of && in conditions of ifs and ?:, and of || where all of them can be said
// not to hold.
BorderForm awayFromBorder(const ir::StmtList& stmts, const std::set<const ir::Variable*>& changing,
                          const NamedConditions& conditions = {});

}  // namespace hone::passes
