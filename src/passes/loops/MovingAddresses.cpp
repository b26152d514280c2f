#include "passes/loops/MovingAddresses.h"

#include <fmt/core.h>

#include <algorithm>

#include "affine/ToExpr.h"
#include "ir/Build.h"
#include "passes/edit/KnownBeforeLoop.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;
using affine::AtomId;
using affine::AtomKind;
using affine::Poly;

namespace {

// A loop that compilers write out iteration by iteration.
bool isWrittenOut(const affine::Loop& loop) {
  const auto* f = as<For>(loop.stmt);
  const auto counts = f && f->unroll == -1 ? counted(*f) : std::nullopt;
  return counts && counts->begin && constantValue(counts->begin) && loop.var && loop.values.empty() &&
         !loop.byDistance;
}

// As a person would write it: numbers without a suffix, and no conversion around the whole, which subscripts
// and sums make anyway.
ExprPtr plainlyWritten(const ExprPtr& e) {
  struct Shorten : Rewriter {
    ExprPtr mapExpr(const ExprPtr& x) override {
      const auto* b = as<Binary>(x);
      const auto number = b && b->rhs->is<IntLiteral>() ? constantValue(b->rhs) : std::nullopt;
      if (!number || *number < INT32_MIN || *number > INT32_MAX) return x;
      return makeExpr(x->type, Binary{b->op, b->lhs, convert(intLit(*number), b->rhs->type)}, x->loc);
    }
  } shorten;
  const ExprPtr made = shorten.rewrite(e);
  const auto* cast = as<Cast>(made);
  return cast && !cast->isExplicit && cast->operand->type->isInteger() ? cast->operand : made;
}

std::optional<ExprPtr> written(const affine::KernelModel& model, const Poly& p, const TypePtr& type) {
  const auto made = affine::ToExpr(model, type).of(p);
  return made ? std::optional(plainlyWritten(*made)) : std::nullopt;
}

// A subscript as it can be written before a loop, with the value that it has in the first iteration, in the
// type given wherever sizes take part: what no iteration of a short loop loads may lie further than the
// kernel's own integers reach.
class BeforeLoop {
 public:
  // `inner` are the loops around the access inside of it.
  BeforeLoop(const affine::KernelModel& model, const affine::Loop& around,
             const std::vector<affine::LoopId>& inner, TypePtr integers)
      : known(*model.kernel, *as<For>(around.stmt), countersOf(model, inner)),
        counter(around.var),
        type(std::move(integers)) {
    const std::set<const Variable*> changing = assignedVariables(model.kernel->body);
    walkStmts(model.kernel->body, [&](const Stmt& s) {
      const auto* d = s.as<Declare>();
      if (d && d->init && !changing.contains(d->var.get())) initial[d->var.get()] = d->init;
    });
    // Without a begin it has its first value there.
    if (const ExprPtr begin = counted(*as<For>(around.stmt))->begin) startAt(around, begin);
    for (const affine::LoopId at : inner)
      startAt(model.loops[at], counted(*as<For>(model.loops[at].stmt))->begin);
  }

  // Null where it needs what only the loop knows, or divides by what may be 0 where the loop has no
  // iteration.
  ExprPtr of(const ExprPtr& index) {
    const ExprPtr value = known.before(index);
    if (!value || !isSafe(plain(value))) return nullptr;
    const ExprPtr made = simplified(wide(value));
    return fails ? nullptr : plainlyWritten(made);
  }

 private:
  static std::set<const Variable*> countersOf(const affine::KernelModel& model,
                                              const std::vector<affine::LoopId>& loops) {
    std::set<const Variable*> counters;
    for (const affine::LoopId at : loops) counters.insert(model.loops[at].var.get());
    return counters;
  }
  void startAt(const affine::Loop& loop, const ExprPtr& begin) {
    const ExprPtr value = known.before(begin);
    if (value)
      first.emplace_back(loop.var, convert(value, loop.var->type));
    else
      fails = true;
  }

  ExprPtr wide(const ExprPtr& e) {
    if (const auto* var = as<VarRef>(e))
      for (const auto& [which, value] : first)
        if (which == var->var) return wide(value);
    if (const auto* b = as<Binary>(e);
        b && isInteger(e) && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul)) {
      const ExprPtr same = plain(e);
      if (isOfCoordinates(same)) return convert(same, type);
      const ExprPtr lhs = wide(b->lhs), rhs = wide(b->rhs);
      return b->op == BinaryOp::Add   ? plus(lhs, rhs)
             : b->op == BinaryOp::Sub ? minus(lhs, rhs)
                                      : times(lhs, rhs);
    }
    if (const auto* cast = as<Cast>(e);
        cast && isInteger(e) && isInteger(cast->operand) && cast->operand->type->bits <= e->type->bits) {
      const ExprPtr same = plain(e);
      return isOfCoordinates(same) ? convert(same, type) : wide(cast->operand);
    }
    // Inside of other operators integers stay as they are, so the counter must not be among them.
    if (variablesOf(e).contains(counter.get())) fails = true;
    return convert(plain(e), type);
  }
  static bool isInteger(const ExprPtr& e) { return e->type->is(TypeKind::Int) && e->type->bits >= 32; }

  // The same expression in the first iteration.
  ExprPtr plain(const ExprPtr& e) const { return simplified(substituted(e, first)); }

  static bool isSafe(const ExprPtr& e) {
    bool isFine = true;
    walkExprs(e, [&](const Expr& x) {
      isFine = isFine && !x.is<Call>();
      const auto* b = x.as<Binary>();
      if (!b || (b->op != BinaryOp::Div && b->op != BinaryOp::Rem)) return;
      const auto divisor = constantValue(b->rhs);
      isFine = isFine && divisor && *divisor != 0;
    });
    return isFine;
  }
  // Numbers and the thread's place in the launch, whose sums the kernel relies on as they are.
  bool isOfCoordinates(const ExprPtr& e) const {
    bool all = true;
    walkExprs(e, [&](const Expr& x) {
      const auto* var = x.as<VarRef>();
      if (!var || !all) return;
      auto value = initial.find(var->var.get());
      all = value != initial.end() && isOfCoordinates(value->second);
    });
    return all;
  }

  const KnownBeforeLoop known;
  const VarPtr counter;
  const TypePtr type;
  std::map<const Variable*, ExprPtr> initial;
  Substitution first;
  bool fails = false;
};

class Finder {
 public:
  Finder(const affine::KernelModel& kernelModel, const std::vector<std::string>& arrays, MovingForm asked)
      : model(kernelModel), atoms(*kernelModel.atoms), wanted(arrays), form(asked) {
    for (const VarPtr& param : model.kernel->params)
      if (assignedVariables(model.kernel->body).contains(param.get())) changed.insert(param.get());
  }

  MovingAddresses find() {
    for (const affine::AccessId i : model.accesses.ids())
      if (isMeant(model.accesses[i])) add(i);
    return std::move(found);
  }

 private:
  bool isMeant(const affine::Access& access) const {
    if (!access.isResolved() || access.atomic || isLoop(*access.stmt)) return false;
    if (access.mode != AccessMode::Read && access.mode != AccessMode::Write) return false;
    const affine::Array& array = model.arrays[access.array];
    const ExprPtr element = elementBehind(access.place);
    if (array.space != Space::Global || !element || array.isVolatile) return false;
    if (wanted.empty())
      return access.bytes > sizeOf(*element->type, model.kernel->language == Language::OpenCL);
    return std::find(wanted.begin(), wanted.end(), array.name) != wanted.end();
  }

  void add(affine::AccessId id) {
    const affine::Access& access = model.accesses[id];
    // 1. The loop: the innermost that is not written out iteration by iteration.
    std::vector<affine::LoopId> inner;
    affine::LoopId number;
    for (size_t i = access.loops.size(); i-- > 0 && number.isNone();)
      isWrittenOut(model.loops[access.loops[i]]) ? inner.push_back(access.loops[i])
                                                 : void(number = access.loops[i]);
    if (number.isNone()) return;
    const affine::Loop& loop = model.loops[number];
    const auto* f = as<For>(loop.stmt);
    const auto count = f ? counted(*f) : std::nullopt;
    if (!count || !loop.var || !loop.values.empty())
      return note(Refusal{"the loop around it does not count", access.loc}, access);
    // What the header touches comes when the pointer has moved on.
    if (!isBelow(f->body, *access.stmt)) return;
    if (exitsOf(f->body).continues)
      return note(Refusal{"iterations of the loop end early with continue", access.loc}, access);
    // 2. By how much the address advances: by the same in every iteration, for all threads.
    const Poly step = loop.byDistance ? loop.step : Poly(1);
    const Poly next = atoms.substitute(access.address, {{loop.counter, Poly::atom(loop.counter) + step}});
    const Poly perIteration = next - access.address;
    if (perIteration.isZero()) return;
    if (!atoms.isLaunchUniform(perIteration))
      return note(Refusal{"the address does not advance by the same distance in every iteration", access.loc},
                  access);
    affine::Atoms::Substitution atStart{{loop.counter, Poly(0)}};
    const Poly firstIteration = atoms.substitute(access.address, atStart);
    for (const affine::LoopId at : inner) atStart[model.loops[at].counter] = Poly(0);
    const Poly start = atoms.substitute(access.address, atStart);
    // 3. Distances that no thread changes are added to a pointer that there is.
    const ExprPtr element = elementBehind(access.place);
    const VarPtr base = as<VarRef>(as<Subscript>(element)->base)->var;
    const int64_t bytes = int64_t(sizeOf(*element->type, model.kernel->language == Language::OpenCL));
    // Sums of 32 bits may pass the end of the type where nothing is loaded, so they have no sign.
    const bool isShort = form == MovingForm::Offsets && affine::indexType(access)->bits == 32;
    const TypePtr type = isShort ? uint32() : int64();
    for (MovingAddress& known : found.all) {
      if (known.loop != loop.stmt || known.base != base || !sameType(known.type, type) ||
          !(known.perIteration == perIteration))
        continue;
      if (const auto at = distance(firstIteration - known.start, bytes, inner, type)) {
        known.at[id] = *at;
        return;
      }
    }
    // 4. A pointer of its own.
    MovingAddress made{loop.stmt, access.array, base, type, nullptr, nullptr, {}, start, perIteration};
    const auto at = distance(firstIteration - start, bytes, inner, type);
    made.advance = advance(perIteration, bytes, *count, loop, type);
    const bool isSame = !assignedVariables(loop.stmt).contains(base.get()) &&
                        !declaredVariables(loop.stmt).contains(base.get()) &&
                        !addressTaken(model.kernel->body).contains(base.get());
    if (isSame) made.from = BeforeLoop(model, loop, inner, type).of(as<Subscript>(element)->indices.front());
    if (!at || !made.advance || !made.from)
      return note(Refusal{"where it begins, or how it moves, cannot be written before the loop", access.loc},
                  access);
    made.at[id] = *at;
    found.all.push_back(std::move(made));
  }

  static bool isBelow(const StmtPtr& body, const Stmt& stmt) {
    bool found = false;
    walkStmts(body, [&](const Stmt& s) { found = found || &s == &stmt; });
    return found;
  }

  // A number of bytes as elements; nothing where threads differ in it. Null: none.
  std::optional<ExprPtr> distance(const Poly& p, int64_t bytes, const std::vector<affine::LoopId>& inner,
                                  const TypePtr& type) {
    if (p.isZero()) return nullptr;
    bool isPlain = p.isDivisible(bytes), isOfNumbers = true;
    atoms.forEachAtom(p, [&](AtomId id) {
      const affine::Atom& atom = atoms[id];
      isPlain =
          isPlain &&
          (atom.kind == AtomKind::Symbol ||
           (atom.kind == AtomKind::Loop && std::find(inner.begin(), inner.end(), atom.loop) != inner.end()));
      isOfNumbers = isOfNumbers && atom.kind == AtomKind::Loop;
    });
    if (!isPlain) return std::nullopt;
    const Poly elements = p.dividedExactly(bytes);
    const bool isSmall = isOfNumbers && atoms.range(elements).isWithin(INT32_MIN, INT32_MAX);
    const auto made = isSmall ? affine::ToExpr(model).of(elements) : written(model, elements, type);
    return made && !namesChanged(*made) ? made : std::nullopt;
  }

  // Elements from one iteration to the next: by the steps of the loop where the source counts by them.
  ExprPtr advance(const Poly& perIteration, int64_t bytes, const Counted& count, const affine::Loop& loop,
                  const TypePtr& type) {
    bool isOfSymbols = true;
    atoms.forEachAtom(perIteration,
                      [&](AtomId id) { isOfSymbols = isOfSymbols && atoms[id].kind == AtomKind::Symbol; });
    // Quotients are not what they are where sums have no sign.
    if (!perIteration.isDivisible(bytes) || (!isOfSymbols && !type->isSigned)) return nullptr;
    const Poly elements = HONE_SEED(MovePointersOneShort, perIteration.dividedExactly(bytes),
                                    perIteration.dividedExactly(bytes) - Poly(1));
    const auto step = loop.byDistance ? std::nullopt : loop.step.constant();
    if (step && *step > 1 && count.op == BinaryOp::Add && elements.isDivisible(*step)) {
      const Poly each = elements.dividedExactly(*step);
      if (each == Poly(1)) return count.step;
      const auto made = written(model, each, type);
      return made && !namesChanged(*made) ? times(convert(count.step, type), *made) : nullptr;
    }
    const bool isSmall = elements.constant() && atoms.range(elements).isWithin(INT32_MIN, INT32_MAX);
    const auto made = isSmall ? affine::ToExpr(model).of(elements) : written(model, elements, type);
    return made && !namesChanged(*made) ? *made : nullptr;
  }

  // Symbols stand for what parameters are at the launch.
  bool namesChanged(const ExprPtr& e) const {
    const std::set<const Variable*> named = variablesOf(e);
    return std::any_of(named.begin(), named.end(), [&](const Variable* v) { return changed.contains(v); });
  }

  void note(const Refusal& no, const affine::Access& access) {
    if (!found.leftOut) found.leftOut = Refusal{fmt::format("{}: {}", access.handle, no.reason), no.place};
  }

  const affine::KernelModel& model;
  affine::Atoms& atoms;
  const std::vector<std::string>& wanted;
  const MovingForm form;
  std::set<const Variable*> changed;
  MovingAddresses found;
};

}  // namespace

ExprPtr elementBehind(const ExprPtr& place) {
  const auto* outer = as<Subscript>(place);
  if (!outer) return nullptr;
  if (outer->base->is<VarRef>() && outer->base->type->isPointer())
    return outer->indices.size() == 1 ? place : nullptr;
  const auto* view = as<Cast>(outer->base);
  const auto* address = view ? as<AddressOf>(view->operand) : nullptr;
  const auto* inner = address ? as<Subscript>(address->place) : nullptr;
  const bool isOne = outer->indices.size() == 1 && constantValue(outer->indices.front()) == 0;
  return inner && isOne && inner->indices.size() == 1 && inner->base->is<VarRef>() &&
                 inner->base->type->isPointer()
             ? address->place
             : nullptr;
}

MovingAddresses movingAddresses(const affine::KernelModel& model, const std::vector<std::string>& arrays,
                                MovingForm form) {
  return Finder(model, arrays, form).find();
}

}  // namespace hone::passes
