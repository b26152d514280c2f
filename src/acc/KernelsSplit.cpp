#include "acc/KernelsSplit.h"

#include <algorithm>

namespace hone::acc {

using namespace ir;
using frontend::AccConstruct;

namespace {

bool holdsLoops(const frontend::AccNotes& notes, const StmtPtr& s) {
  bool found = false;
  walkStmts(s, [&](const Stmt& one) { found |= notes.loops.contains(&one); });
  return found;
}

void flatten(const frontend::AccNotes& notes, const StmtList& stmts, StmtList& out) {
  for (const StmtPtr& s : stmts) {
    if (const auto* inner = as<Block>(s); inner && !notes.atomics.contains(s.get()))
      flatten(notes, inner->stmts, out);
    else
      out.push_back(s);
  }
}

}  // namespace

void splitKernels(const frontend::AccRegion& region, const frontend::AccUnit& unit, LoweredRegion& into) {
  StmtList stmts;
  flatten(unit.notes, {region.body}, stmts);
  struct Piece {
    StmtList stmts;
    bool isNest = false;
  };
  std::vector<Piece> pieces;
  StmtList comments;
  for (const StmtPtr& s : stmts) {
    if (s->is<Comment>()) {
      comments.push_back(s);
      continue;
    }
    const bool isNest = holdsLoops(unit.notes, s);
    if (isNest || pieces.empty() || pieces.back().isNest) pieces.push_back({{}, isNest});
    Piece& piece = pieces.back();
    piece.stmts.insert(piece.stmts.end(), comments.begin(), comments.end());
    comments.clear();
    piece.stmts.push_back(s);
  }
  // Variables that one piece declares and another one uses.
  std::vector<CarriedVariable> carried;
  if (pieces.size() > 1) {
    for (size_t i = 0; i < pieces.size(); ++i)
      for (const StmtPtr& s : pieces[i].stmts) {
        const auto* d = as<Declare>(s);
        if (!d) continue;
        bool isShared = false;
        for (size_t k = i + 1; k < pieces.size(); ++k)
          for (const StmtPtr& other : pieces[k].stmts) isShared |= mentions(other, d->var.get());
        if (!isShared) continue;
        if (d->var->isReference || d->var->type->is(TypeKind::Handle))
          throw Refused{"a reference is declared between the loops of a kernels construct", s->loc};
        carried.push_back({d->var, static_cast<int>(into.scratch.size())});
        into.scratch.push_back({sizeOf(*d->var->type), -1});
      }
    for (Piece& piece : pieces)
      for (StmtPtr& s : piece.stmts) {
        const auto* d = as<Declare>(s);
        const bool isCarried =
            d && std::any_of(carried.begin(), carried.end(),
                             [&](const CarriedVariable& one) { return one.var == d->var; });
        if (isCarried) s = d->init ? assign(ref(d->var), d->init, s->loc) : makeStmt(Comment{""}, s->loc);
      }
  }
  for (const Piece& piece : pieces) {
    RegionPart part;
    part.body = block(piece.stmts, region.body->loc);
    part.construct = piece.isNest ? AccConstruct::Kernels : AccConstruct::Serial;
    part.isWhole = pieces.size() == 1;
    part.carried = carried;
    makeKernels(region, unit, part, into);
  }
}

}  // namespace hone::acc
