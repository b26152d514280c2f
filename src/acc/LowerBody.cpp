#include "acc/LowerBody.h"

#include <algorithm>

#include "acc/LowerAtomic.h"
#include "acc/ReductionValues.h"
#include "acc/SeededMistakes.h"
#include "acc/VariableUse.h"
#include "ir/Build.h"
#include "ir/CallEffects.h"

namespace hone::acc {

using namespace ir;
using frontend::AccLevel;

BodyLowerer::BodyLowerer(WorkRegion& theWork, const BlockShape& theShape, ExprPtr gangNumber)
    : work(theWork), shape(theShape), gang(std::move(gangNumber)) {}

bool BodyLowerer::isMemory(const Variable& var) const {
  return var.storage == Storage::Global || var.space == Space::Shared || homes.contains(&var) ||
         work.isObject(&var);
}

ExprPtr BodyLowerer::isFirst(Mode mode) const {
  auto isZero = [](unsigned axis) {
    return binary(BinaryOp::Eq, coord(CoordKind::ThreadIdx, axis), intLit(0, uint32()));
  };
  if (mode == Mode::Worker || !shape.hasWorkers) return isZero(0);
  return andAlso(isZero(0), isZero(1));
}

void BodyLowerer::barrier(StmtList& out, Mode mode) {
  Barrier node;
  if (mode == Mode::Worker) node.scope = SyncScope::Warp;
  out.push_back(makeStmt(std::move(node), work.loc));
  hazards(mode).clear();
  if (mode == Mode::Block) pending.ofWorker.clear();
}

void BodyLowerer::barrierForBuffers(StmtList& out, Mode mode) {
  if (isAlone()) return;
  Touches written;
  for (const auto& [key, var] : buffers) written.writes.insert(var.get());
  if (hazards(mode).needsBarrier(By::Many, written)) barrier(out, mode);
}

void BodyLowerer::touch(StmtList& out, Mode mode, By by, const Touches& touches) {
  if (isAlone() || mode == Mode::Lane) return;
  if (hazards(mode).needsBarrier(by, touches) && HONE_SEED(NoBarrierBehindOneThread, true, by == By::One))
    barrier(out, mode);
  hazards(mode).add(by, touches);
}

void BodyLowerer::once(StmtList& out, Mode mode, StmtList stmts) {
  touch(out, mode, By::One, touchesOf(stmts, memory()));
  if (isAlone() || mode == Mode::Lane) {
    out.insert(out.end(), stmts.begin(), stmts.end());
    return;
  }
  const SourceLoc loc = stmts.empty() ? work.loc : stmts.front()->loc;
  out.push_back(makeStmt(If{isFirst(mode), block(std::move(stmts), loc), nullptr}, loc));
}

LoweredBody BodyLowerer::lower(Mode start, const std::vector<VarPtr>& gangParameters,
                               std::vector<GangResult> asked) {
  results = std::move(asked);
  whole = work.body;
  StmtList prologue;
  if (!isAlone()) {
    homes = sharedHomes(work, gangParameters, start, shape.threads[1] > 1 ? shape.threads[1] : 1);
    const std::set<const Variable*> taken = addressTaken(work.body);
    for (const auto& [var, home] : homes) {
      (home.isGlobal ? ofGangs : shared).push_back(home.shared);
      if (home.isGlobal && !gang)
        throw Refused{"the variables that a routine's threads share take more than 40 KB", work.loc};
      if (!taken.contains(var)) continue;
      escaped.insert(var);
      escaped.insert(home.shared.get());
    }
    for (const DeviceObject& object : work.objects)
      if (object.mayLieInOther) escaped.insert(object.var.get());
    for (const VarPtr& parameter : gangParameters)
      if (auto home = homes.find(parameter.get()); home != homes.end()) {
        once(prologue, start, {assign(placeOf(home->second), ref(parameter))});
      }
  }
  StmtList body = list(listOf(work.body), start);
  StmtList starts;
  for (const GangResult& result : results) {
    starts.push_back(makeStmt(Declare{result.running, nullptr}, work.loc));
    for (StmtPtr& s : startOf(result.op, ref(result.running), work.names)) starts.push_back(std::move(s));
  }
  LoweredBody lowered;
  for (const VarPtr& var : shared) lowered.stmts.push_back(makeStmt(Declare{var, nullptr}, work.loc));
  lowered.ofGangs = ofGangs;
  // A number that starts with a value reads better in one line.
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto* declaration = as<Declare>(starts[i]);
    const auto* value = i + 1 < starts.size() ? as<Assign>(starts[i + 1]) : nullptr;
    const auto* place = value ? as<VarRef>(value->place) : nullptr;
    if (declaration && place && place->var == declaration->var) {
      lowered.stmts.push_back(makeStmt(Declare{declaration->var, value->value}, work.loc));
      ++i;
    } else {
      lowered.stmts.push_back(starts[i]);
    }
  }
  for (StmtPtr& s : prologue) lowered.stmts.push_back(std::move(s));
  for (StmtPtr& s : moved(body)) lowered.stmts.push_back(std::move(s));
  lowered.results = results;
  lowered.limits = limits;
  return lowered;
}

// --- lists

bool BodyLowerer::isStructural(const StmtPtr& s) const {
  if (leavesEarly(s)) return true;
  bool found = false;
  walkStmts(s, [&](const Stmt& one) {
    const LoopPlan* plan = work.notes.planOf(one);
    found |= plan && plan->isSpread();
  });
  return found || calledLevel(*work.unit, s) > AccLevel::Seq;
}

StmtList BodyLowerer::list(const StmtList& stmts, Mode mode) {
  StmtList out;
  if (mode == Mode::Lane) return plain(stmts);
  for (size_t i = 0; i < stmts.size();) {
    if (isStructural(stmts[i])) {
      structural(out, stmts[i++], mode);
      continue;
    }
    size_t end = i;
    while (end < stmts.size() && !isStructural(stmts[end])) ++end;
    run(out,
        StmtList(stmts.begin() + static_cast<std::ptrdiff_t>(i),
                 stmts.begin() + static_cast<std::ptrdiff_t>(end)),
        mode);
    i = end;
  }
  return out;
}

// --- runs

StmtList BodyLowerer::plain(const StmtPtr& s) {
  class Plain : public NotedRewriter {
   public:
    Plain(WorkRegion& theWork, const std::map<const Variable*, Home>& theHomes, IsMemory theMemory)
        : NotedRewriter(theWork.notes), work(theWork), homes(theHomes), isMemory(std::move(theMemory)) {}
    using NotedRewriter::rewrite;
    StmtList rewrite(const StmtPtr& one) override {
      if (!one) return {};
      if (auto found = notes.atomics.find(one.get()); found != notes.atomics.end())
        return lowerAtomic(work, one, found->second, isMemory);
      if (const auto* d = as<Declare>(one); d && homes.contains(d->var.get())) {
        if (!d->init) return {};
        return assignParts(ref(d->var), rewrite(d->init), one->loc);
      }
      return NotedRewriter::rewrite(one);
    }
    ExprPtr rewrite(const ExprPtr& e) override { return e; }

   private:
    // C assigns no arrays: element by element.
    StmtList assignParts(const ExprPtr& place, const ExprPtr& value, const SourceLoc& loc) {
      const auto* parts = as<Construct>(value);
      if (!parts || !place->type->is(TypeKind::Array)) return {acc_assign(place, value, loc)};
      StmtList result;
      for (int64_t i = 0; i < place->type->extent; ++i) {
        const auto at = static_cast<size_t>(i);
        ExprPtr element = subscript(place, {intLit(i)});
        ExprPtr part = at < parts->parts.size() ? parts->parts[at] : emptyOf(element->type);
        for (StmtPtr& s : assignParts(element, part, loc)) result.push_back(std::move(s));
      }
      return result;
    }
    static ExprPtr emptyOf(const TypePtr& type) {
      ExprPtr zero = zeroOf(type);
      return zero ? zero : makeExpr(type, Construct{});
    }
    static StmtPtr acc_assign(const ExprPtr& place, const ExprPtr& value, const SourceLoc& loc) {
      return ir::assign(place, value, loc);
    }
    WorkRegion& work;
    const std::map<const Variable*, Home>& homes;
    IsMemory isMemory;
  };
  return Plain(work, homes, memory()).rewrite(s);
}

StmtList BodyLowerer::plain(const StmtList& stmts) {
  StmtList out;
  for (const StmtPtr& s : stmts)
    for (StmtPtr& one : plain(s)) out.push_back(std::move(one));
  return out;
}

bool BodyLowerer::hasEffect(const StmtPtr& s) const {
  bool found = !touchesOf(s, memory()).writes.empty();
  walkStmts(s, [&](const Stmt& one) {
    found |= one.is<Printf>() || one.is<Assert>() || one.is<Fence>() || one.is<Barrier>() ||
             work.notes.atomics.contains(&one);
  });
  walkExprs(s, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    found |= call && !isPure(*call);
  });
  return found;
}

namespace {

std::set<const Variable*> definedBy(const StmtPtr& s) {
  std::set<const Variable*> result = assignedVariables(s);
  if (const auto* d = as<Declare>(s)) result.insert(d->var.get());
  return result;
}

size_t mentionsOfAny(const StmtPtr& s, const std::set<const Variable*>& vars) {
  size_t count = 0;
  walkExprs(s, [&](const Expr& e) {
    const auto* var = e.as<VarRef>();
    count += var && vars.contains(var->var.get());
  });
  return count;
}

}  // namespace

// One thread does what has effects, and what is only needed for that; all do the rest.
void BodyLowerer::run(StmtList& out, const StmtList& stmts, Mode mode) {
  if (isAlone()) {
    for (StmtPtr& s : plain(stmts)) out.push_back(std::move(s));
    return;
  }
  std::vector<bool> effect, once(stmts.size(), false);
  for (const StmtPtr& s : stmts) effect.push_back(hasEffect(s));
  const auto first = std::find(effect.begin(), effect.end(), true) - effect.begin();
  const auto last = effect.rend() - std::find(effect.rbegin(), effect.rend(), true) - 1;
  for (std::ptrdiff_t i = first; i <= last && i < static_cast<std::ptrdiff_t>(stmts.size()); ++i)
    once[static_cast<size_t>(i)] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < stmts.size(); ++i) {
      if (!once[i] || effect[i]) continue;
      const std::set<const Variable*> defined = definedBy(stmts[i]);
      size_t within = 0;
      for (size_t k = 0; k < stmts.size(); ++k)
        if (once[k]) within += mentionsOfAny(stmts[k], defined);
      if (mentionsOfAny(whole, defined) == within) continue;
      once[i] = false;
      changed = true;
    }
  }
  StmtList together;
  auto flush = [&] {
    if (!together.empty()) segment(out, together, mode);
    together.clear();
  };
  for (size_t i = 0; i < stmts.size(); ++i) {
    if (once[i]) {
      together.push_back(stmts[i]);
      continue;
    }
    flush();
    touch(out, mode, By::Many, touchesOf(stmts[i], memory()));
    for (StmtPtr& s : plain(stmts[i])) out.push_back(std::move(s));
  }
  flush();
}

ExprPtr BodyLowerer::broadcastCell(const TypePtr& type, Mode mode) {
  const bool ofWorkers = mode == Mode::Worker;
  VarPtr cell =
      buffer(type, ofWorkers ? shape.threads[1] : 0, ofWorkers ? "from_first_lane" : "from_first_thread");
  if (!ofWorkers) return ref(cell);
  return subscript(ref(cell), {coord(CoordKind::ThreadIdx, 1)});
}

// Done by one thread; the others get the values of variables that are used elsewhere.
void BodyLowerer::segment(StmtList& out, const StmtList& stmts, Mode mode) {
  StmtList inside = stmts;
  struct Handed {
    VarPtr var, from;
    bool declares = false;
    SourceLoc loc;
  };
  std::vector<Handed> handed;
  std::set<const Variable*> seen;
  auto usedElsewhere = [&](const VarPtr& var) {
    size_t within = 0;
    for (const StmtPtr& s : stmts) within += countMentions(s, var.get());
    return countMentions(whole, var.get()) != within;
  };
  for (size_t i = 0; i < inside.size(); ++i) {
    const StmtPtr s = inside[i];
    if (const auto* d = as<Declare>(s); d && !isMemory(*d->var) && usedElsewhere(d->var)) {
      VarPtr own = work.names.local(d->var->name, d->var->type);
      const Variable* original = d->var.get();
      handed.push_back({d->var, own, true, s->loc});
      seen.insert(original);
      const VarPtr var = d->var;
      inside[i] = makeStmt(Declare{own, d->init}, s->loc);
      for (size_t k = i + 1; k < inside.size(); ++k)
        inside[k] = withVariable(work.notes, inside[k], var, own);
    }
  }
  std::set<const Variable*> declared;
  for (const StmtPtr& s : inside)
    for (const Variable* var : declaredVariables(s)) declared.insert(var);
  for (const StmtPtr& s : stmts)
    walkStmts(s, [&](const Stmt& one) {
      const auto* assignment = one.as<Assign>();
      if (!assignment) return;
      walkExprs(assignment->place, [&](const Expr& e) {
        const auto* var = e.as<VarRef>();
        if (!var || var->var.get() != storageOf(*assignment->place) || isMemory(*var->var) ||
            declared.contains(var->var.get()) || !seen.insert(var->var.get()).second)
          return;
        if (usedElsewhere(var->var)) handed.push_back({var->var, var->var, false, one.loc});
      });
    });

  StmtList done = plain(inside);
  std::vector<std::pair<Handed, ExprPtr>> cells;
  std::map<std::string, int> used;
  for (const Handed& one : handed) {
    const int number = used[ir::str(*one.var->type)]++;
    const bool ofWorkers = mode == Mode::Worker;
    VarPtr cell = buffer(one.var->type, ofWorkers ? shape.threads[1] : 0,
                         std::string(ofWorkers ? "from_first_lane" : "from_first_thread") +
                             (number ? std::to_string(number + 1) : ""));
    ExprPtr place = ofWorkers ? subscript(ref(cell), {coord(CoordKind::ThreadIdx, 1)}) : ref(cell);
    done.push_back(assign(place, ref(one.from), one.loc));
    cells.emplace_back(one, place);
  }
  const Touches touches = touchesOf(done, memory());
  once(out, mode, std::move(done));
  if (cells.empty()) return;
  barrier(out, mode);
  for (const auto& [one, place] : cells) {
    touch(out, mode, By::Many, touchesOf(place, memory()));
    if (one.declares)
      out.push_back(makeStmt(Declare{one.var, place}, one.loc));
    else
      out.push_back(assign(ref(one.var), place, one.loc));
  }
}

}  // namespace hone::acc
