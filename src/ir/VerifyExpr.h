// Checks of expressions for Verify.cpp; the rules are listed there.
#pragma once

#include <functional>

#include "ir/Kernel.h"

namespace hone::ir {

class ExprVerifier {
 public:
  // `violated` gets the number of the rule, what is wrong and where; `isDeclared` says whether a variable is
  // in scope.
  ExprVerifier(std::function<void(int, const std::string&, SourceLoc)> violated,
               std::function<bool(const Variable&)> isDeclared)
      : report(std::move(violated)), inScope(std::move(isDeclared)) {}

  // `mayHaveEffects`: the expression is the whole value of a statement, so that it may be a call with
  // effects.
  void check(const ExprPtr& e, SourceLoc stmt, bool mayHaveEffects = false);

 private:
  void fail(int rule, const std::string& what) { report(rule, what, where); }
  void expect(bool ok, int rule, const std::string& what) {
    if (!ok) fail(rule, what);
  }
  void visit(const ExprPtr& e, bool mayHaveEffects);

  void one(const Expr& e, const IntLiteral& n);
  void one(const Expr& e, const FloatLiteral& n);
  void one(const Expr& e, const NullPointer& n);
  void one(const Expr& e, const VarRef& n);
  void one(const Expr& e, const Coord& n);
  void one(const Expr& e, const Unary& n);
  void one(const Expr& e, const Binary& n);
  void one(const Expr& e, const Cast& n);
  void one(const Expr& e, const Select& n);
  void one(const Expr& e, const Call& n);
  void one(const Expr& e, const Subscript& n);
  void one(const Expr& e, const Member& n);
  void one(const Expr& e, const Swizzle& n);
  void one(const Expr& e, const AddressOf& n);
  void one(const Expr& e, const Construct& n);

  std::function<void(int, const std::string&, SourceLoc)> report;
  std::function<bool(const Variable&)> inScope;
  SourceLoc where;
};

// A value of type `from` stands where `to` is wanted: the same type, a pointer that forgets its space, or a
// cooperative group where a more general one is wanted.
bool fits(const Type& from, const Type& to);
// A call that may stand only as the whole value of a statement.
bool hasEffects(const Call& call);

}  // namespace hone::ir
