#include "passes/edit/ThreadEffects.h"

#include "ir/CallEffects.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::passes {

using namespace ir;

namespace {

bool isOwn(const ir::Access& a) {
  const VarPtr root = rootVariable(a.place);
  return root && root->space == Space::Private && !root->type->isPointer();
}

bool isStoreForOthers(const ir::Access& a) {
  return !isOwn(a) && (a.mode == AccessMode::Write || a.mode == AccessMode::ReadWrite || a.atomic);
}

}  // namespace

Effect effectOf(const StmtPtr& s) {
  bool stores = false, takesAddress = false, isOther = false;
  walkStmts(s, [&](const Stmt& stmt) {
    isOther |=
        prints(stmt) || stmt.is<Assert>() || stmt.is<Fence>() || stmt.is<Barrier>() || stmt.is<Return>();
    for (const ir::Access& a : accesses(stmt)) {
      takesAddress |= a.mode == AccessMode::Address && !isOwn(a);
      stores |= isStoreForOthers(a);
    }
  });
  walkExprs(s, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    if (call && !isPure(*call)) (writesMemory(*call) ? stores : isOther) = true;
  });
  if (stores) return Effect::Stores;
  if (isOther) return Effect::Other;
  return takesAddress ? Effect::TakesAddress : Effect::None;
}

}  // namespace hone::passes
