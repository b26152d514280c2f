// Visiting and rebuilding IR trees. Rewriting shares what did not change and keeps source locations.
#pragma once

#include <functional>
#include <set>

#include "ir/Kernel.h"

namespace hone::ir {

// Direct children in evaluation order (for Subscript: base, then indices; for a place under AddressOf: the
// place).
void forEachChild(const Expr& e, const std::function<void(const ExprPtr&)>& fn);
// Expressions directly in a statement, then statements directly in it.
void forEachExpr(const Stmt& s, const std::function<void(const ExprPtr&)>& fn);
void forEachChild(const Stmt& s, const std::function<void(const StmtPtr&)>& fn);

// Visits every node below; return false from a hook to skip what is below that node.
class Walker {
 public:
  virtual ~Walker() = default;
  void walk(const ExprPtr& e);
  void walk(const StmtPtr& s);

 protected:
  virtual bool enter(const Expr&) { return true; }
  virtual void leave(const Expr&) {}
  virtual bool enter(const Stmt&) { return true; }
  virtual void leave(const Stmt&) {}
};

// Convenience: every expression / statement below, preorder.
void walkExprs(const StmtPtr& s, const std::function<void(const Expr&)>& fn);
void walkExprs(const ExprPtr& e, const std::function<void(const Expr&)>& fn);
void walkStmts(const StmtPtr& s, const std::function<void(const Stmt&)>& fn);

// Whether a variable is named below, or one of several; how often it is. Its declaration does not name it.
bool mentions(const ExprPtr& e, const Variable* var);
bool mentions(const StmtPtr& s, const Variable* var);
bool mentions(const ExprPtr& e, const std::set<const Variable*>& variables);
bool mentions(const StmtPtr& s, const std::set<const Variable*>& variables);
size_t countMentions(const ExprPtr& e, const Variable* var);
size_t countMentions(const StmtPtr& s, const Variable* var);

// Rebuilds bottom-up. Override the hooks, which get a node whose children were rewritten already; return it
// unchanged to keep it. A statement may become none or several.
class Rewriter {
 public:
  virtual ~Rewriter() = default;
  virtual ExprPtr rewrite(const ExprPtr& e);
  virtual StmtList rewrite(const StmtPtr& s);
  StmtPtr rewriteBlock(const StmtPtr& s);  // the result wrapped in one Block

 protected:
  // What replaces a node keeps its source location unless it has one of its own.
  virtual ExprPtr mapExpr(const ExprPtr& e) { return e; }
  virtual StmtList mapStmt(const StmtPtr& s) { return {s}; }
  virtual VarPtr mapVar(const VarPtr& v) {
    return v;
  }  // for renaming and retyping; applied to Declare and VarRef
};

// The variable whose own storage a place lies in; null for what lies behind a pointer.
const Variable* storageOf(const Expr& place);

// Variables whose address is taken below, array elements and fields included: a store through a pointer may
// change them.
std::set<const Variable*> addressTaken(const StmtPtr& s);
// Variables assigned by name below (whole, or an element, field or lane), and those declared below.
std::set<const Variable*> assignedVariables(const StmtPtr& s);
std::set<const Variable*> declaredVariables(const StmtPtr& s);

// How an expression node touches memory.
enum class AccessMode : uint8_t { Read, Write, ReadWrite, Address };
struct Access {
  ExprPtr place;  // Subscript whose base is a pointer or array, or a VarRef of a global or shared scalar
  ExprPtr whole;  // what is touched of it: the place with the members and lanes selected from it (p[i].x for
                  // p[i])
  AccessMode mode = AccessMode::Read;
  bool atomic = false;
  // What must hold inside the expression for it to happen: arms of ?:, right sides of && and || (negated
  // where that is meant).
  std::vector<ExprPtr> conditions = {};
  const Call* through =
      nullptr;  // the load, store or atomic intrinsic that makes it; lives as long as the statement
};
// Memory accesses of one statement itself (not of nested statements), in evaluation order. Scalars and
// structs of the thread's own are no memory, its arrays are. A pointer handed to an atomic, load or store
// intrinsic is an access of what it points to (p counts as p[0]); an address taken elsewhere has mode
// Address.
std::vector<Access> accesses(const Stmt& s);
std::vector<Access> accesses(const ExprPtr& value);                   // of an expression whose value is used
std::vector<Access> accesses(const ExprPtr& place, AccessMode mode);  // of a place used in that way

}  // namespace hone::ir
