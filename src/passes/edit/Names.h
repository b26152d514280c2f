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

// Adds a named constant; returns its name, with a number behind it where a constant of that name has another
// value.
std::string addConstant(ir::Kernel& kernel, const std::string& wanted, int64_t value,
                        const std::string& comment);

// Whether the text of an extent names a constant.
bool namesExtent(const ir::TypePtr& type, const std::string& name);
// With another name, or a number, for a constant in the texts of extents of arrays declared in the body.
ir::StmtPtr renamedInExtents(const ir::StmtPtr& body, const std::string& from, const std::string& to);

}  // namespace hone::passes
