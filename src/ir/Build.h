// Building expressions as a person would write them: constants folded, neutral operands left out.
#pragma once

#include "ir/Stmt.h"

namespace hone::ir {

// Operands get one type by C's rules, as binary() does.
ExprPtr plus(ExprPtr a, ExprPtr b);
ExprPtr minus(ExprPtr a, ExprPtr b);
ExprPtr times(ExprPtr a, ExprPtr b);
ExprPtr over(ExprPtr a, ExprPtr b);  // division
ExprPtr remainder(ExprPtr a, ExprPtr b);
ExprPtr ceilDiv(ExprPtr a, ExprPtr b);  // (a + b - 1) / b, for a >= 0 and b > 0
ExprPtr least(ExprPtr a, ExprPtr b);    // as a Select
ExprPtr andAlso(ExprPtr a, ExprPtr b);  // short-circuit; null operands and `true` are left out
ExprPtr orElse(ExprPtr a, ExprPtr b);
ExprPtr negated(const ExprPtr& cond);  // comparisons of integers turn round, De Morgan for && and ||
// A literal that is the kernel's constant of that role; without a role a plain one.
ExprPtr named(int64_t value, ConstantRole role, TypePtr type = int32());
// The literal under another type that holds its value, with the name and the role that it has.
ExprPtr relabelled(const IntLiteral& literal, const TypePtr& type);
// An array whose extent is written as `extent` is: a number, or constants with a role and numbers.
TypePtr arrayOver(TypePtr element, const ExprPtr& extent);

// The parts of a condition that && joins; none of a null one and of `true`.
std::vector<ExprPtr> conjuncts(const ExprPtr& condition);

// Zero of a number, pointer or vector; null for other types.
ExprPtr zeroOf(const TypePtr& type);
// What conversions around it leave: the operand of the innermost one.
ExprPtr withoutCasts(ExprPtr e);
// As far as they lie between integers of 32 bits and more: ids of threads and numbers of blocks stay what
// they are.
ExprPtr withoutIdCasts(ExprPtr e);

bool isTrue(const ExprPtr& e);
bool isFalse(const ExprPtr& e);

// Folds constants and neutral operands in integer arithmetic and conditions anywhere below; what may trap or
// have effects stays. Named literals keep their names where they stay whole.
ExprPtr simplified(const ExprPtr& e);

// for (var = begin; var < end; var += step), the variable declared by the loop.
struct CountingLoop {
  VarPtr var = nullptr;
  ExprPtr begin = nullptr;  // null: 0
  ExprPtr end = nullptr;
  ExprPtr step = nullptr;  // null: 1, written ++var
  StmtPtr body = nullptr;
  int unroll = 0;  // as For::unroll
};
StmtPtr countingLoop(CountingLoop loop, SourceLoc loc = {});

}  // namespace hone::ir
