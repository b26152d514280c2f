#include "tune/CompilersLoops.h"

#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/LoopEdit.h"

namespace hone::tune {

bool keepsLoopsWhole(const ir::Kernel& kernel) {
  const auto meets = [](const ir::StmtPtr& body) {
    bool found = passes::containsBarrier(body), isInnermost = true;
    ir::walkStmts(body, [&](const ir::Stmt& s) { isInnermost = isInnermost && !passes::isLoop(s); });
    ir::walkExprs(body, [&](const ir::Expr& e) {
      const auto* call = e.as<ir::Call>();
      const auto cls = call && call->intrinsic ? call->intrinsic->cls : ir::IntrinsicClass::Math;
      found = found || cls == ir::IntrinsicClass::Exchange || cls == ir::IntrinsicClass::BarrierVote;
    });
    return found && isInnermost;
  };
  bool found = false;
  ir::walkStmts(kernel.body, [&](const ir::Stmt& s) {
    if (const auto* loop = s.as<ir::For>()) found = found || meets(loop->body);
  });
  return found;
}

}  // namespace hone::tune
