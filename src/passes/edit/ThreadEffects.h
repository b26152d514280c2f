// What statements do beyond computing values of their own thread.
#pragma once

#include "ir/Stmt.h"

namespace hone::passes {

// What a statement does that several threads must not.
enum class Effect { None, Stores, TakesAddress, Other };

Effect effectOf(const ir::StmtPtr& s);

// What threads that share one piece of work must not do several times: stores, barriers, calls that do more
// than compute.
inline bool hasEffect(const ir::StmtPtr& s) { return effectOf(s) != Effect::None; }

}  // namespace hone::passes
