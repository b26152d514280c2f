// Variables of a kernel that may be read before anything was assigned to them.
#pragma once

#include <set>

#include "ir/Walk.h"

namespace hone::sim {

// Declared without a value and not surely assigned (whole or in part) on every way to some use by name.
std::set<const ir::Variable*> maybeUnset(const ir::StmtPtr& body);

}  // namespace hone::sim
