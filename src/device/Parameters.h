// A kernel's parameters taken apart: the numbers and pointers in them, structures and vectors by their
// fields.
#pragma once

#include "ir/Kernel.h"

namespace hone::device {

struct ParameterLeaf {
  std::string path;  // "n", "grid.w", "v.x", "dims[2]"
  ir::TypePtr type;  // a number, a pointer or a handle
  unsigned param = 0;
  uint64_t offset = 0;  // bytes in the parameter
  bool isNumber() const { return type->isArithmetic(); }
  bool isWhole() const { return type->is(ir::TypeKind::Int) && type->bits >= 16; }
  bool isArray() const { return type->isPointer() && type->space != ir::Space::Shared; }
  bool isSharedArray() const { return type->isPointer() && type->space == ir::Space::Shared; }
};

std::vector<ParameterLeaf> parameterLeaves(const ir::Kernel& kernel);

// The numbers, pointers and handles that a value of this type is made of, with their places in it.
struct TypeLeaf {
  std::string path;  // "" for a number itself, ".x", "[2].y"
  ir::TypePtr type;
  uint64_t offset = 0;
};
std::vector<TypeLeaf> typeLeaves(const ir::TypePtr& type, bool isOpenCL);

// The path of a place made of parameters and their fields ("p.n"), "" for anything else.
std::string pathOf(const ir::ExprPtr& place);

}  // namespace hone::device
