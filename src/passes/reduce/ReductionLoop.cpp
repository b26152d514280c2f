#include "passes/reduce/ReductionLoop.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "affine/Relation.h"
#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Compare.h"
#include "ir/StmtsOf.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/reduce/SumUpdates.h"

namespace hone::passes {

using namespace ir;

namespace {

bool isInteger(const TypePtr& type) {
  if (type->is(TypeKind::Vector) || type->is(TypeKind::Array)) return isInteger(type->element);
  return type->isInteger();
}

// What is assigned, mentioned or declared by the statements of a loop's body.
class Carried {
 public:
  // `ofPlaces`: the loop's variable, where an iteration's may be kept; null: that is refused.
  Carried(const StmtPtr& theBody, ReductionLoop& into, const Counted* ofPlaces)
      : body(theBody), out(into), places(ofPlaces) {}

  Obstacle find() {
    const auto declared = declaredVariables(body);
    std::vector<VarPtr> carried;  // in the order of the body
    VarPtr moving;
    SourceLoc movesAt;
    walkStmts(body, [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      VarPtr root = a ? rootVariable(a->place) : nullptr;
      // A pointer that moves is where the iterations so far have brought it.
      if (root && root->type->isPointer() && a->place->is<VarRef>() && !declared.contains(root.get()))
        moving = root, movesAt = s.loc;
      if (root && root->space == Space::Private && !root->type->isPointer() &&
          !declared.contains(root.get()) && root->storage != Storage::Global &&
          std::find(carried.begin(), carried.end(), root) == carried.end())
        carried.push_back(root);
      // A call may write to what it is handed.
      walkOwnCalls(s);
    });
    if (call) return call;
    if (moving)
      return Refusal{fmt::format("{} carries {} from iteration to iteration", out.handle, moving->name),
                     movesAt};
    if (places) findPlaces();
    for (const VarPtr& one : carried) {
      const bool isKnown = std::any_of(out.sums.begin(), out.sums.end(), [&](const Accumulator& sum) {
        return sum.where && (sum.var == one || sum.where == one);
      });
      if (isKnown) continue;
      if (Obstacle no = accumulates(one)) return no;
    }
    return std::nullopt;
  }

 private:
  const StmtPtr& body;
  ReductionLoop& out;
  const Counted* places;
  Obstacle call;

  void findPlaces() {
    const auto step = signedStep(*places);
    if (!step && !risesByStep(*places)) return;
    walkStmts(body, [&](const Stmt& s) {
      const auto* choice = s.as<If>();
      const auto update = choice ? placedUpdateBy(*choice, places->var.get(), body) : std::nullopt;
      if (update)
        out.sums.push_back({update->var, update->how, true, nullptr, update->where, step && *step < 0});
    });
  }

  void walkOwnCalls(const Stmt& s) {
    forEachExpr(s, [&](const ExprPtr& top) {
      walkExprs(top, [&](const Expr& e) {
        const auto* made = e.as<Call>();
        if (!made) return;
        if (writesMemory(*made) || synchronizes(*made))
          call =
              Refusal{fmt::format("{} calls {}, which does more than compute a value", out.handle,
                                  made->function ? made->function->name : std::string(made->intrinsic->id)),
                      body->loc};
      });
    });
  }

  // Whether each iteration that comes to a statement has read by then what a value reads of memory.
  bool isReadAnyway(const ExprPtr& value, const Stmt& by) const {
    const auto changed = assignedVariables(body);
    auto isRead = [&](const ir::Access& read) {
      for (const Variable* v : variablesOf(read.place))
        if (changed.contains(v)) return false;
      for (const StmtPtr& s : stmtsOf(body)) {
        bool isHere = false;
        walkStmts(s, [&](const Stmt& inner) { isHere |= &inner == &by; });
        if (isHere) return false;
        if (isLoop(*s)) continue;
        for (const ir::Access& earlier : accesses(*s))
          if (earlier.conditions.empty() && equal(earlier.place, read.place)) return true;
      }
      return false;
    };
    const auto reads = value ? accesses(value) : std::vector<ir::Access>{};
    return std::all_of(reads.begin(), reads.end(), isRead);
  }

  Obstacle accumulates(const VarPtr& var) {
    std::optional<Accumulator> found;
    size_t explained = 0;
    bool agrees = true;
    SourceLoc where = body->loc;
    auto note = [&](const std::optional<SumUpdate>& update, const Stmt& by) {
      where = by.loc;
      if (!update || !isReadAnyway(update->whereOpen, by)) {
        agrees = false;
        return;
      }
      explained += update->mentions;
      Accumulator one{var, update->how,
                      isInteger(var->type) || (update->call && !update->call->traits.assumesNumbers),
                      update->call};
      if (found && (found->how != one.how || found->call != one.call)) agrees = false;
      found = one;
    };
    std::set<const Stmt*> inside;
    walkStmts(body, [&](const Stmt& s) {
      if (inside.contains(&s)) return;
      if (const auto* node = s.as<If>())
        if (auto update = updateBy(*node, var.get())) {
          note(update, s);
          inside.insert(as<Block>(node->then)->stmts.front().get());
          return;
        }
      const auto* a = s.as<Assign>();
      if (a && rootVariable(a->place) == var) note(updateBy(*a, var.get()), s);
    });
    if (!agrees || !found)
      return Refusal{fmt::format("{} carries {} from iteration to iteration", out.handle, var->name), where};
    if (explained != countMentions(body, var.get()))
      return Refusal{fmt::format("{} uses {} before the sum is complete", out.handle, var->name), where};
    out.sums.push_back(*found);
    return std::nullopt;
  }
};

// Whether a value that the variable has before or after the loop matters: named elsewhere, other loops that
// set it first left aside.
bool isNeededOutside(const StmtPtr& s, const StmtPtr& loop, const Variable* var) {
  if (s == loop) return false;
  if (const auto* other = as<For>(s); other && !other->init.empty()) {
    const auto* first = as<Assign>(other->init.front());
    const auto* place = first ? as<VarRef>(first->place) : nullptr;
    if (place && place->var.get() == var && !first->op && !mentions(first->value, var)) return false;
  }
  bool needed = false;
  forEachExpr(*s, [&](const ExprPtr& e) { needed |= mentions(e, var); });
  forEachChild(*s, [&](const StmtPtr& child) { needed |= isNeededOutside(child, loop, var); });
  return needed;
}

class DeclarationDropper : public Rewriter {
 public:
  explicit DeclarationDropper(const Variable* which) : var(which) {}

 private:
  const Variable* var;
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* d = as<Declare>(s);
    return d && d->var.get() == var && !d->init ? StmtList{} : StmtList{s};
  }
};

}  // namespace

StmtPtr withoutUnused(const StmtPtr& body, const VarPtr& var) {
  if (!var || mentions(body, var.get())) return body;
  return DeclarationDropper(var.get()).rewriteBlock(body);
}

const char* str(Combine how) {
  switch (how) {
    case Combine::Add: return "sum";
    case Combine::Mul: return "product";
    case Combine::And: return "conjunction";
    case Combine::Or: return "disjunction";
    case Combine::Xor: return "exclusive or";
    case Combine::Min: return "minimum";
    case Combine::Max: return "maximum";
  }
  return "";
}

const Accumulator* ReductionLoop::inexact() const {
  const auto at = std::find_if(sums.begin(), sums.end(), [](const Accumulator& a) { return !a.isExact; });
  return at == sums.end() ? nullptr : &*at;
}

namespace {

// Fills `out` as far as it gets.
struct MayAlso {
  bool store = false, keepPlaces = false;
};
Obstacle findReduction(const affine::KernelModel& model, affine::LoopId index, ReductionLoop& out,
                       const MayAlso& may = {}) {
  const affine::Loop& known = model.loops[index];
  out.loop = known.stmt;
  out.handle = known.handle;
  out.index = index;
  const SourceLoc& where = known.stmt->loc;
  const auto* loop = as<For>(known.stmt);
  const auto taken = addressTaken(model.kernel->body);
  const auto count = loop ? counted(*loop, &taken) : std::nullopt;
  if (!count) return Refusal{fmt::format("{} is no loop that counts", out.handle), where};
  out.count = *count;
  if (!count->begin || loop->init.size() != 1 || loop->step.size() != 1)
    return Refusal{fmt::format("the head of {} does more than count", out.handle), where};
  out.node = *loop;
  if (!count->declares) {
    if (isNeededOutside(model.kernel->body, known.stmt, count->var.get()))
      return Refusal{fmt::format("{} is used outside of {} too", count->var->name, out.handle), where};
    out.outer = count->var;
    auto own = std::make_shared<Variable>(*count->var);
    out.node = *as<For>(as<Block>(substituted(known.stmt, {{count->var, ref(VarPtr(own))}}))->stmts.front());
    out.node.init = {makeStmt(Declare{own, count->begin}, known.stmt->loc)};
    out.count = *counted(out.node, &taken);
  }
  const Exits exits = exitsOf(loop->body);
  if (exits.breaks || exits.returns) return Refusal{fmt::format("{} may end early", out.handle), where};
  if (Obstacle no = Carried(loop->body, out, may.keepPlaces ? &*count : nullptr).find()) return no;
  for (const Accumulator& sum : out.sums)
    for (const VarPtr& var : {sum.var, sum.where})
      if (var && taken.contains(var.get()))
        return Refusal{fmt::format("the address of {} is taken", var->name), where};
  // What is stored to memory.
  const auto declared = declaredVariables(loop->body);
  for (const affine::Access& a : model.accesses) {
    if (std::find(a.loops.begin(), a.loops.end(), index) == a.loops.end() || !a.writes()) continue;
    if (a.array.isNone())
      return Refusal{fmt::format("{} stores to memory that is not known", a.handle), a.loc};
    const affine::Array& array = model.arrays[a.array];
    if (array.space == Space::Private) {
      const bool isSum = std::any_of(out.sums.begin(), out.sums.end(),
                                     [&](const Accumulator& s) { return s.var == array.var; });
      if (isSum || (array.var && declared.contains(array.var.get()))) continue;
    }
    if (may.store && array.space != Space::Shared && array.space != Space::Private) continue;
    if (array.space != Space::Shared)
      return Refusal{
          fmt::format("{} stores to {}; put promote before it where that is a sum", out.handle, array.name),
          a.loc};
    if (std::find(out.tiles.begin(), out.tiles.end(), a.array) == out.tiles.end())
      out.tiles.push_back(a.array);
  }
  // A tile: touched by this loop alone, at places that do not depend on the iteration, so that each iteration
  // sees what it wrote itself, as the first one must.
  for (affine::ArrayId tile : out.tiles) {
    const std::string& name = model.arrays[tile].name;
    for (const affine::Access& a : model.accesses) {
      if (a.array != tile) continue;
      const bool isInside = std::find(a.loops.begin(), a.loops.end(), index) != a.loops.end();
      if (!isInside || !a.isResolved() || a.atomic ||
          (model.atoms->variation(a.address).loops & affine::loopBit(index)))
        return Refusal{fmt::format("{} carries {} from iteration to iteration", out.handle, name), a.loc};
    }
  }
  if (out.sums.empty() && !may.store) return Refusal{fmt::format("{} sums up nothing", out.handle), where};
  return std::nullopt;
}

}  // namespace

Result<ReductionLoop> reductionLoop(const affine::KernelModel& model, affine::LoopId loop) {
  ReductionLoop out;
  if (Obstacle no = findReduction(model, loop, out)) return *no;
  return out;
}

Result<ReductionLoop> loopWithStores(const affine::KernelModel& model, affine::LoopId loop) {
  ReductionLoop out;
  if (Obstacle no = findReduction(model, loop, out, {.store = true, .keepPlaces = true})) return *no;
  return out;
}

Result<ReductionLoop> loopWithPlaces(const affine::KernelModel& model, affine::LoopId loop) {
  ReductionLoop out;
  if (Obstacle no = findReduction(model, loop, out, {.keepPlaces = true})) return *no;
  return out;
}

std::vector<Accumulator> sumsIn(const affine::KernelModel& model, affine::LoopId loop) {
  ReductionLoop out;
  (void)findReduction(model, loop, out);
  return out.sums;
}

ExprPtr neutralValue(const Accumulator& sum, const TypePtr& type) {
  if (!type->isArithmetic()) return nullptr;
  const bool isBool = type->is(TypeKind::Bool);
  switch (sum.how) {
    case Combine::Add:
    case Combine::Or:
    case Combine::Xor:
      return isBool ? boolLit(false) : type->isFloating() ? convert(floatLit(0), type) : intLit(0, type);
    case Combine::Mul:
      return type->isFloating() ? convert(floatLit(1), type) : isBool ? boolLit(true) : intLit(1, type);
    case Combine::And: return isBool ? boolLit(true) : intLit(-1, type);
    case Combine::Min:
    case Combine::Max: return nullptr;  // every part may begin with the value that was there
  }
  return nullptr;
}

ExprPtr combined(const Accumulator& sum, const ExprPtr& a, const ExprPtr& b) {
  const TypePtr type = a->type;
  auto by = [&](BinaryOp op) { return convert(binary(op, a, b), type); };
  switch (sum.how) {
    case Combine::Add: return by(BinaryOp::Add);
    case Combine::Mul: return by(BinaryOp::Mul);
    case Combine::And:
      return type->is(TypeKind::Bool) ? binary(BinaryOp::LogicalAnd, a, b) : by(BinaryOp::BitAnd);
    case Combine::Or:
      return type->is(TypeKind::Bool) ? binary(BinaryOp::LogicalOr, a, b) : by(BinaryOp::BitOr);
    case Combine::Xor: return by(BinaryOp::BitXor);
    case Combine::Min:
    case Combine::Max: break;
  }
  if (sum.call) {
    // CUDA has none for short integers.
    const TypePtr wide = promoted(type);
    return convert(makeExpr(wide, Call{sum.call, nullptr, {convert(a, wide), convert(b, wide)}, "", {}}),
                   type);
  }
  return makeExpr(type, Select{binary(sum.how == Combine::Max ? BinaryOp::Gt : BinaryOp::Lt, b, a), b, a});
}

ExprPtr comesBefore(const Accumulator& sum, const PlacedPart& other, const PlacedPart& mine) {
  const BinaryOp better = sum.how == Combine::Max ? BinaryOp::Gt : BinaryOp::Lt;
  const ExprPtr isEqual = binary(BinaryOp::Eq, other.value, mine.value);
  const ExprPtr isEarlier = binary(sum.whereFalls ? BinaryOp::Gt : BinaryOp::Lt, other.where, mine.where);
  return orElse(binary(better, other.value, mine.value),
                andAlso(isEqual, HONE_SEED(SplitLaterPlace, isEarlier, negated(isEarlier))));
}

std::optional<int64_t> signedStep(const Counted& c) {
  const auto step = constantValue(c.step);
  if (!step || *step == 0 || (c.op != BinaryOp::Add && c.op != BinaryOp::Sub)) return std::nullopt;
  return c.op == BinaryOp::Add ? *step : -*step;
}

bool risesByStep(const Counted& c) {
  return !constantValue(c.step) && c.op == BinaryOp::Add &&
         (c.compare == BinaryOp::Lt || c.compare == BinaryOp::Le);
}

ExprPtr iterationsOf(const affine::KernelModel& model, const ReductionLoop& loop) {
  const Counted& c = loop.count;
  const auto step = signedStep(c);
  if ((!step && !risesByStep(c)) || c.compare == BinaryOp::Ne) return nullptr;
  const bool rises = !step || *step > 0, inclusive = c.compare == BinaryOp::Le || c.compare == BinaryOp::Ge;
  const affine::Loop& known = model.loops[loop.index];
  const auto zero = constantValue(c.begin);
  // From 0 in steps of 1 it is the end, which may be below zero.
  if (step && *step == 1 && !inclusive && zero && *zero == 0) return c.end;
  TypePtr type = c.end->type;
  const bool isNonNegative = (zero && *zero >= 0) || model.atoms->range(known.first).low >= 0;
  if (type->bits == 64 && (rises ? !isNonNegative : type->isSigned)) return nullptr;
  if (type->bits < 64) type = int64();
  // As the loop compares them, then wide enough for the distance.
  const ExprPtr first = convert(c.begin, c.end->type);
  const ExprPtr begin = convert(first, type), end = convert(c.end, type);
  ExprPtr distance = rises ? minus(end, begin) : minus(begin, end);
  if (inclusive) distance = plus(distance, intLit(1, type));
  const ExprPtr some = ceilDiv(distance, step ? intLit(rises ? *step : -*step, type) : convert(c.step, type));
  const ExprPtr runs = makeExpr(boolType(), Binary{c.compare, first, c.end});
  return simplified(makeExpr(type, Select{runs, some, intLit(0, type)}));
}

ExprPtr valueOfIteration(const Counted& c, const ExprPtr& iteration) {
  const auto step = signedStep(c);
  const ExprPtr begin = convert(c.begin, iteration->type);
  if (!step) return convert(plus(begin, times(iteration, convert(c.step, iteration->type))), c.var->type);
  const ExprPtr distance = times(iteration, intLit(*step < 0 ? -*step : *step, iteration->type));
  return convert(*step < 0 ? minus(begin, distance) : plus(begin, distance), c.var->type);
}

}  // namespace hone::passes
