// How one statement brings a sum, a product, an extremum or a bit mask on, so that parts of it may be worked
// out apart and put together.
#pragma once

#include "passes/reduce/ReductionLoop.h"

namespace hone::passes {

struct SumUpdate {
  Combine how = Combine::Add;
  const ir::Intrinsic* call = nullptr;  // Min, Max: by this function; null: by comparison
  size_t mentions = 0;                  // of the variable that the statement accounts for
  ir::ExprPtr whereOpen =
      {};  // worked out only where what the variable holds leaves the answer open; null: nothing
  ir::ExprPtr value =
      {};  // what is added, multiplied or compared with the variable; null: not one expression
};

// Nothing: the statement does something else with the variable.
std::optional<SumUpdate> updateBy(const ir::Assign& node, const ir::Variable* var);
// `if (x > best) best = x;`
std::optional<SumUpdate> updateBy(const ir::If& node, const ir::Variable* var);

// `if (x > best) best = x, where = i;`, i being the loop's variable, or moved by what stays as it is in its
// body: of equal ones the first iteration is kept, and neither variable is used otherwise.
struct PlacedUpdate {
  Combine how = Combine::Max;
  ir::VarPtr var, where;
};
std::optional<PlacedUpdate> placedUpdateBy(const ir::If& node, const ir::Variable* counter,
                                           const ir::StmtPtr& body);

// What is converted, as far as conversions keep each value, so that it compares as before.
ir::ExprPtr withoutExactCasts(ir::ExprPtr e);
// The same as far as sums that a place of this type keeps go through them: cut off only where the place cuts
// them off.
ir::ExprPtr withoutSumCasts(ir::ExprPtr e, const ir::TypePtr& ofPlace);
// What a place of this type is given, less the conversion to it.
ir::ExprPtr beforePlace(const ir::ExprPtr& value, const ir::TypePtr& ofPlace);

}  // namespace hone::passes
