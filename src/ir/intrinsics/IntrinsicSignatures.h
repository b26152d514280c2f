// Signatures of intrinsic names against IR types; private to Intrinsics*.cpp.
#pragma once

#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

// A scalar or vector type name of OpenCL C ("uint4"), as in as_ and convert_.
bool isOpenCLTypeName(std::string_view name);
std::string openclTypeName(const Type& type);  // "" for what as_ and convert_ cannot name

// The arguments have exactly the parameter types of the signature. A name without one accepts its number of
// arguments.
bool acceptsExactly(const IntrinsicName& name, std::span<const TypePtr> args);

// The signature with T bound to a type (null: it has no T), its pointers in `space`; `name` is null when T
// cannot be that type or the name has no signature.
IntrinsicSignature instantiate(const IntrinsicName& name, const TypePtr& bound, Space space);

}  // namespace hone::ir
