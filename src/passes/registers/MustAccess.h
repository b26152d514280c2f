// Whether running a statement makes an access for certain, so that making it before or after adds none that
// the original lacks.
#pragma once

#include <functional>

#include "affine/KernelModel.h"
#include "ir/Walk.h"

namespace hone::passes {

using AccessTest = std::function<bool(const ir::Access&)>;
using LoopTest =
    std::function<bool(const ir::Stmt&)>;  // whether a loop has an iteration wherever it is come to

// A condition, to be worked out before the statement, under which running it makes an access that `test`
// accepts; `true` when it always does, null when nothing of the kind is known. It names variables with the
// values they have before.
ir::ExprPtr mustAccess(const ir::StmtPtr& s, const AccessTest& test, const LoopTest& runsOnce = {});

// Whether the place of an access is written in its statement, so that it can be replaced there: what an
// intrinsic touches through a pointer (__ldg(p)) is not.
bool standsInText(const affine::Access& access);

}  // namespace hone::passes
