#include "ir/Assumption.h"

#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

StmtPtr assume(ExprPtr condition, SourceLoc loc) {
  Call said;
  said.intrinsic = &intrinsic("assume");
  said.args = {std::move(condition)};
  return makeStmt(Eval{makeExpr(voidType(), std::move(said), loc)}, loc);
}

ExprPtr assumed(const Stmt& s) {
  const auto* eval = s.as<Eval>();
  const auto* call = eval ? as<Call>(eval->call) : nullptr;
  return call && call->intrinsic && call->intrinsic->id == "assume" ? call->args[0] : nullptr;
}

}  // namespace hone::ir
