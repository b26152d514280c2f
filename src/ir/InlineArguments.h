// How parameters meet arguments when a call is replaced by the callee's body.
#pragma once

#include <map>
#include <set>

#include "ir/Walk.h"

namespace hone::ir {

// Brings a rebuilt node into the form that the builders give: *&x is x, (&a[i])[0] is a[i], &p[0] is p.
ExprPtr canonical(const ExprPtr& e);

// A copy of a body with fresh variables and with parameters replaced.
class Cloner : public Rewriter {
 public:
  std::map<const Variable*, VarPtr> fresh;
  std::map<const Variable*, ExprPtr> arguments;

 protected:
  VarPtr mapVar(const VarPtr& v) override;
  ExprPtr mapExpr(const ExprPtr& e) override;
};

// How a body uses one of its parameters.
struct ParamUse {
  bool changes = false;    // assigned, or its address taken
  bool onlyBehind = true;  // read only as *p, p->x or a reference
};
ParamUse useOf(const Variable& param, const StmtPtr& body);

// Which arguments may stand in place of their parameter all through a callee.
class ArgumentRules {
 public:
  // `addressTaken` are the caller's variables whose address is taken.
  explicit ArgumentRules(const std::set<const Variable*>& addressTaken) : taken(addressTaken) {}

  bool mayReplace(const ExprPtr& arg, const ParamUse& use, const Function& f);

 private:
  bool mayWrite(const Function& f);
  bool isUnchangedBy(const Variable& var, const Function& f);
  bool isSimple(const ExprPtr& e, const Function& f);
  bool isSimplePlace(const ExprPtr& e, const Function& f);

  const std::set<const Variable*>& taken;
  std::map<const Function*, bool> writers;
};

// A function's shared variables exist once, however often it is called: they become variables of the kernel.
class SharedOfCallees {
 public:
  // The body without their declarations, which are remembered.
  StmtPtr takenOut(const StmtPtr& body);
  // The kernel's body with all of them declared first, under names that `uniqueName` makes of theirs.
  StmtPtr declaredOnTop(const StmtPtr& body,
                        const std::function<std::string(const std::string&)>& uniqueName) const;

 private:
  std::set<const Variable*> known;
  StmtList declarations;
};

}  // namespace hone::ir
