// What C's own conversion rules do, so that a cast is written exactly where they would not recreate it. All
// types are those of printed text: the type a compiler gives to it.
#pragma once

#include "ir/Kernel.h"
#include "ir/NormalForm.h"

namespace hone::emit {

// The type in which `l op r` is computed, null when the language has no such operation. For shifts that of
// the left side.
ir::TypePtr operationType(ir::BinaryOp op, const ir::TypePtr& l, const ir::TypePtr& r, ir::Language language);

// False for the vector types of CUDA that have no arithmetic.
bool hasOperators(const ir::Type& type, ir::Language language);

// The type of `c ? a : b`, null when the arms have no common one.
ir::TypePtr selectType(const ir::TypePtr& a, const ir::TypePtr& b, ir::Language language);

// A value of type `from` may initialize, be assigned to or be passed as a `to` without a cast, with the
// meaning of the cast.
bool convertsImplicitly(const ir::Type& from, const ir::Type& to, ir::Language language);

// C++ refuses the conversion inside braces unless the value is a constant that fits.
bool isNarrowing(const ir::Type& from, const ir::Type& to);

// What a variadic function receives for an argument of this type.
ir::TypePtr variadicType(const ir::TypePtr& type);

}  // namespace hone::emit
