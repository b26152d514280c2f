// Routines that threads call together, and variables moved to where they live.
#include "acc/LowerBody.h"
#include "ir/Build.h"

namespace hone::acc {

using namespace ir;
using frontend::AccLevel;

// --- calls that threads make together

const Call* BodyLowerer::collectiveCall(const StmtPtr& s) const {
  ExprPtr value;
  if (const auto* d = as<Declare>(s)) value = d->init;
  if (const auto* a = as<Assign>(s)) value = a->value;
  if (const auto* e = as<Eval>(s)) value = e->call;
  if (const auto* r = as<Return>(s)) value = r->value;
  const auto* call = value ? value->as<Call>() : nullptr;
  return call && call->function && routineOf(*work.unit, *call) ? call : nullptr;
}

void BodyLowerer::collective(StmtList& out, const StmtPtr& s, const Call& call, Mode mode) {
  const AccLevel level = routineOf(*work.unit, call)->level;
  if (mode == Mode::Worker && level > AccLevel::Vector)
    throw Refused{"internal: a routine of workers or gangs is called inside a loop of workers", s->loc, true};
  const Touches touches = touchesOf(s, memory());
  touch(out, mode, By::Many, touches);
  const bool isOfOneWorker = mode == Mode::Block && level == AccLevel::Vector && shape.threads[1] > 1;
  auto firstWorker = [&](StmtPtr inside) {
    const ExprPtr isIt = binary(BinaryOp::Eq, coord(CoordKind::ThreadIdx, 1), intLit(0, uint32()));
    out.push_back(makeStmt(If{isIt, block({std::move(inside)}), nullptr}, s->loc));
  };
  const auto* assignment = as<Assign>(s);
  const bool toMemory =
      assignment && (!storageOf(*assignment->place) || isMemory(*storageOf(*assignment->place)));
  if (!isOfOneWorker && !toMemory) {
    for (StmtPtr& one : plain(s)) out.push_back(std::move(one));
    return;
  }
  if (s->is<Eval>()) return firstWorker(s);
  // The value is in the threads that made the call.
  const auto* returned = as<Return>(s);
  const ExprPtr value = as<Declare>(s) ? as<Declare>(s)->init
                        : assignment   ? assignment->value
                                       : returned->value;
  VarPtr own = work.names.local("value", value->type);
  out.push_back(makeStmt(Declare{own, nullptr}, s->loc));
  StmtPtr made = assign(ref(own), value, s->loc);
  if (isOfOneWorker)
    firstWorker(made);
  else
    out.push_back(made);
  if (isOfOneWorker) {
    ExprPtr cell = broadcastCell(value->type, mode);
    once(out, mode, {assign(cell, ref(own), s->loc)});
    barrier(out, mode);
    touch(out, mode, By::Many, touchesOf(cell, memory()));
    out.push_back(assign(ref(own), cell, s->loc));
  }
  if (returned) {
    out.push_back(makeStmt(Return{ref(own)}, s->loc));
    return;
  }
  StmtPtr rest = as<Declare>(s) ? makeStmt(Declare{as<Declare>(s)->var, ref(own)}, s->loc)
                                : makeStmt(Assign{assignment->place, assignment->op, ref(own)}, s->loc);
  if (toMemory || (as<Declare>(s) && isMemory(*as<Declare>(s)->var)))
    once(out, mode, plain(rest));
  else
    out.push_back(rest);
}

// --- variables in their homes

ExprPtr BodyLowerer::placeOf(const Home& home) const {
  ExprPtr place = ref(home.shared);
  if (home.isGlobal) place = subscript(place, {gang});
  if (home.of == Mode::Worker) place = subscript(place, {coord(CoordKind::ThreadIdx, 1)});
  return place;
}

StmtList BodyLowerer::moved(const StmtList& stmts) {
  class Mover : public Rewriter {
   public:
    explicit Mover(const BodyLowerer& theLowerer) : lowerer(theLowerer) {}

   protected:
    ExprPtr mapExpr(const ExprPtr& e) override {
      if (const auto* var = as<VarRef>(e)) {
        auto found = lowerer.homes.find(var->var.get());
        return found == lowerer.homes.end() ? e : lowerer.placeOf(found->second);
      }
      // What was an element of the variable is one of the workers' array.
      if (const auto* element = as<Subscript>(e); element && as<Subscript>(element->base))
        return subscript(element->base, element->indices, e->loc);
      if (const auto* address = as<AddressOf>(e);
          address && storageOf(*address->place) && storageOf(*address->place)->space == Space::Shared)
        return makeExpr(withSpace(e->type, Space::Shared), e->node, e->loc);
      return e;
    }

   private:
    const BodyLowerer& lowerer;
  };
  Mover mover(*this);
  StmtList out;
  for (const StmtPtr& s : stmts)
    for (StmtPtr& one : mover.rewrite(s)) out.push_back(std::move(one));
  return out;
}

}  // namespace hone::acc
