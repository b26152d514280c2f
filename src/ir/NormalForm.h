// The form in which expressions that compute the same by different conversions are the same: text that is
// read back converts where C does, a pass where it likes.
#pragma once

#include "ir/Kernel.h"

namespace hone::ir {

// Every value of `from` is a value of `to`.
bool preservesValue(const Type& from, const Type& to);

// The body with its constants folded under the types they are used in, constexpr variables as their values,
// conversions that a further one makes unnecessary left out, and conversions of a choice made in its arms.
// What it computes stays the same, bit for bit.
StmtPtr normalForm(const StmtPtr& body);

}  // namespace hone::ir
