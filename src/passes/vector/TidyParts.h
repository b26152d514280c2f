// Copies between the parts of wide accesses and variables, which are written as what they are.
#pragma once

#include "ir/Stmt.h"

namespace hone::passes {

// `T p[4] = {…}; for (r …) v[r] = p[r];` becomes `T v[4] = {…};` where v is declared before without a value
// and set here alone. `T p[4]; for (r …) p[r] = f(r); wide = {p[0], …}` becomes `wide = {f(0), …}` where f is
// a variable or an element of the thread's own array. `T v[4] = {w.x, …}; wide = {v[0], …}` becomes `wide =
// w` where that is all that v is for.
ir::StmtPtr withoutPartCopies(const ir::StmtPtr& body);

}  // namespace hone::passes
