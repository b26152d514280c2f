// Names for what passes add to a kernel, different from all that the kernel has.
#pragma once

#include <set>
#include <string>

#include "ir/Kernel.h"

namespace hone::passes {

class Names {
 public:
  explicit Names(const ir::Kernel& kernel);
  // `wanted`, or with a number behind it where that is taken; taken from then on.
  std::string fresh(const std::string& wanted);

 private:
  std::set<std::string> taken;
};

// A new variable of the thread's own.
ir::VarPtr makeLocal(Names& names, const std::string& wanted, ir::TypePtr type, bool isConst = false);
// A new parameter.
ir::VarPtr makeParameter(Names& names, const std::string& wanted, ir::TypePtr type);

// Adds a constant; returns its role, with another ordinal where the kernel has that role with another value.
ir::ConstantRole addConstant(ir::Kernel& kernel, const ir::ConstantRole& wanted, int64_t value,
                             const std::string& comment);
// `wanted` with the first ordinal from its own on that no constant of the kernel has.
ir::ConstantRole freshRole(const ir::Kernel& kernel, ir::ConstantRole wanted);

// Whether a number of that role stands in the body, or in an extent of an array that it declares.
bool usesRole(const ir::StmtPtr& body, const ir::ConstantRole& role);
// Numbers of one role get another, in extents too; none: they are plain numbers from then on.
ir::StmtPtr changedRole(const ir::StmtPtr& body, const ir::ConstantRole& from, const ir::ConstantRole& to);
// In extents alone.
ir::StmtPtr changedRoleInExtents(const ir::StmtPtr& body, const ir::ConstantRole& from,
                                 const ir::ConstantRole& to);

// Threads of a block along an axis.
inline ir::ConstantRole blockExtent(unsigned axis) { return {ir::RoleKind::BlockExtent, uint8_t(axis)}; }

}  // namespace hone::passes
