// Atomic constructs: the statements that they hold, in a block of their own.
#include "frontend/AccBodies.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

void AccBodies::atomic(BodyImporter& body, const OpenACCAtomicConstruct& construct) {
  AccAtomicKind kind = AccAtomicKind::Update;
  switch (construct.getAtomicKind()) {
    case OpenACCAtomicKind::Read: kind = AccAtomicKind::Read; break;
    case OpenACCAtomicKind::Write: kind = AccAtomicKind::Write; break;
    case OpenACCAtomicKind::Capture: kind = AccAtomicKind::Capture; break;
    default: break;  // update is what none means
  }
  const ir::StmtPtr held = body.blockOf(construct.getAssociatedStmt());
  body.writesMemory = body.readsMemory = true;
  body.out->push_back(held);
  result.notes.kept.push_back(held);
  result.notes.atomics[held.get()] = kind;
}

}  // namespace hone::frontend
