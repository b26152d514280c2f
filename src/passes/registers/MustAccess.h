// Whether running a statement makes an access for certain, so that making it before or after adds none that
// the original lacks.
#pragma once

#include <functional>

#include "ir/Walk.h"

namespace hone::passes {

using AccessTest = std::function<bool(const ir::Access&)>;
using LoopTest =
    std::function<bool(const ir::Stmt&)>;  // whether a loop has an iteration wherever it is come to

// A condition, to be worked out before the statement, under which running it makes an access that `test`
// accepts; `true` when it always does, null when nothing of the kind is known. It names variables with the
// values they have before.
ir::ExprPtr mustAccess(const ir::StmtPtr& s, const AccessTest& test, const LoopTest& runsOnce = {});

}  // namespace hone::passes
