// Calls being replaced by bodies; private to InlineCalls.cpp and InlineStatements.cpp.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "ir/InlineArguments.h"
#include "ir/Kernel.h"

namespace hone::ir {

class Inliner {
 public:
  explicit Inliner(const std::function<bool(const Function&)>& choose) : chosen(choose) {}
  KernelPtr run(const KernelPtr& kernel);

 private:
  friend class Lowerer;

  bool reaches(const Function& from, const Function& to, std::set<const Function*>& seen) const;
  bool isWanted(const Call& call);
  bool containsWanted(const ExprPtr& e);
  bool containsWanted(const StmtPtr& s);
  bool containsWanted(const StmtList& stmts);
  // Keeps the calls of an expression as calls.
  void leaveAlone(const StmtPtr& s);
  void collectNames(const StmtPtr& s);
  std::string uniqueName(const std::string& base);
  VarPtr newVariable(const std::string& name, const TypePtr& type, bool isConst, SourceLoc loc);

  // Statements (InlineStatements.cpp).
  StmtList list(const StmtList& stmts);
  StmtPtr body(const StmtPtr& s);
  void statement(const StmtPtr& s, StmtList& out);
  void declaration(const StmtPtr& s, const Declare& n, StmtList& out);
  void assignment(const StmtPtr& s, const Assign& n, StmtList& out);
  void evaluation(const StmtPtr& s, const Eval& n, StmtList& out);
  // if (!cond) break; with what computing the condition takes before it.
  StmtList leaveUnless(const ExprPtr& cond, SourceLoc loc);
  void forLoop(const StmtPtr& s, const For& n, StmtList& out);
  void whileLoop(const StmtPtr& s, const While& n, StmtList& out);
  void doLoop(const StmtPtr& s, const DoWhile& n, StmtList& out);
  void switchOf(const StmtPtr& s, const Switch& n, StmtList& out);

  // Expressions.
  ExprPtr lower(const ExprPtr& e, StmtList& out);

  // Callees.
  const StmtPtr& inlinedBody(const FunctionPtr& f);
  // A pointer that was only made generic may keep its space.
  static ExprPtr withoutSpaceCast(const ExprPtr& arg);
  void bind(Cloner& cloner, const Function& f, const StmtPtr& callee, const std::vector<ExprPtr>& args,
            StmtList& out);
  // Appends the callee's statements and gives the value of the call. When `place` is given the value may be
  // assigned to it instead, and null is given: always, or with `onlyAtEnd` only as the last thing the callee
  // does.
  ExprPtr expand(const ExprPtr& e, StmtList& out, const ExprPtr& place, bool onlyAtEnd, bool isUsed = true);
  ExprPtr newObject(const Function& constructor, const ExprPtr& call, StmtList& out);
  // A function that ends without a return has no value; any will do.
  ExprPtr undefined(const Function& f, StmtList& out);

  const std::function<bool(const Function&)>& chosen;
  std::map<const Function*, bool> decisions;
  std::map<const Function*, StmtPtr> bodies;
  std::set<const Call*> leftAlone;
  std::set<std::string> names;      // in use in the body at hand
  std::set<const Variable*> taken;  // its variables whose address is taken
  ArgumentRules arguments{taken};
  SharedOfCallees shared;
};

}  // namespace hone::ir
