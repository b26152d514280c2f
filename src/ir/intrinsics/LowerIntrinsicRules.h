// One rule per intrinsic, and what rules build expressions with; private to LowerIntrinsic*.cpp.
#pragma once

#include <unordered_map>

#include "ir/intrinsics/LowerIntrinsic.h"

namespace hone::ir {

// The call being lowered. Builders give null for a call that the language can neither name nor lower; rules
// then give null too.
struct Lowering {
  const Call& call;
  TypePtr type;  // of the result
  SourceLoc loc;
  Language language;
  int depth = 0;  // of rules that use rules
  StmtList before;

  const ExprPtr& arg(size_t i) const { return call.args[i]; }
  const TypePtr& argType(size_t i) const { return call.args[i]->type; }
  size_t argCount() const { return call.args.size(); }

  ExprPtr make(std::string_view id, std::vector<ExprPtr> args, const TypePtr& result) const;
  ExprPtr same(std::string_view id, ExprPtr x) const;  // of x's type in and out
  ExprPtr same(std::string_view id, ExprPtr x, ExprPtr y) const;
  ExprPtr op(BinaryOp op, ExprPtr x, ExprPtr y) const;  // null when an operand is
  ExprPtr cast(ExprPtr x, const TypePtr& to) const;
  ExprPtr number(double value, const TypePtr& like) const;  // of a float or integer type, splat over a vector
  ExprPtr select(ExprPtr cond, ExprPtr yes, ExprPtr no) const;
  ExprPtr lane(const ExprPtr& vector, unsigned i) const;
  ExprPtr construct(const TypePtr& of, std::vector<ExprPtr> parts) const;
};

// The ends of an integer type's range.
inline int64_t minOf(const Type& type) {
  return type.isSigned ? static_cast<int64_t>(~uint64_t{0} << (type.bits - 1)) : 0;
}
inline uint64_t maxOf(const Type& type) { return ~uint64_t{0} >> (64 - type.bits + (type.isSigned ? 1 : 0)); }

using LoweringRule = ExprPtr (*)(Lowering&);
using LoweringRules = std::unordered_map<std::string_view, LoweringRule>;

const LoweringRules& mathLowerings();     // floats, integers, bits
const LoweringRules& halfLowerings();     // half, bfloat16 and complex numbers
const LoweringRules& memoryLowerings();   // loads, stores, atomics, results behind pointers
const LoweringRules& placeLowerings();    // the thread's place in the launch
const LoweringRules& convertLowerings();  // conversions and reinterpretation

}  // namespace hone::ir
