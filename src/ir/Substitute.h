// Variables replaced by expressions or by other variables, and copies that may stand beside their original.
#pragma once

#include <map>

#include "ir/Walk.h"

namespace hone::ir {

// With variables replaced by values. A statement comes back as one Block.
using Substitution = std::vector<std::pair<VarPtr, ExprPtr>>;
ExprPtr substituted(const ExprPtr& e, const Substitution& values);
StmtPtr substituted(const StmtPtr& s, const Substitution& values);

// Rewrites with variables in the place of others; what else a copy changes is for classes below it.
class Renaming : public Rewriter {
 public:
  std::map<const Variable*, VarPtr> by;
  // Gives every variable declared in the statements, shared ones aside, a new one of the same name.
  void renewDeclared(const StmtList& stmts);

 protected:
  VarPtr mapVar(const VarPtr& v) override {
    auto found = by.find(v.get());
    return found == by.end() ? v : found->second;
  }
};

// A copy whose declared variables are new ones, every statement a node of its own; others may be replaced by
// values.
StmtList freshCopy(const StmtList& stmts, const Substitution& values = {});
StmtPtr freshCopy(const StmtPtr& s, const Substitution& values = {});

}  // namespace hone::ir
