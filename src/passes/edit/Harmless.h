// What a thread may do although nobody looks at what it makes of it: nothing that traps, goes on for ever,
// reads memory that may not be there, or that others notice.
#pragma once

#include <functional>
#include <set>

#include "ir/Kernel.h"

namespace hone::passes {

struct HarmlessRules {
  // Places that these threads may load from; the answer holds for their subscripts too. Null: none.
  std::function<bool(const ir::ExprPtr& place)> mayLoad = {};
  // Variables that hold no value in these threads; null: none.
  const std::set<const ir::Variable*>* unset = nullptr;
  // Functions of the user that only compute count as arithmetic.
  bool mayCall = false;
};

// A null value is harmless.
bool isHarmless(const ir::ExprPtr& value, const HarmlessRules& rules = {});
// The value, the operator that goes with it, and what the variable held before. Whether the thread may write
// there is for the caller to say.
bool isHarmless(const ir::Assign& assign, const HarmlessRules& rules = {});

}  // namespace hone::passes
