#include "passes/sequence/LaunchCode.h"

#include <fmt/core.h>

#include "ir/Assumption.h"
#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/StmtsOf.h"
#include "ir/Substitute.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/DeadCode.h"
#include "passes/launch/FixBlock.h"
#include "passes/sequence/LaunchValues.h"

namespace hone::passes {

using namespace ir;

namespace {

// Elements behind pointers that were moved: (&a[i])[j] is a[i + j]; and x op= v written out.
class PlainPlaces : public Rewriter {
 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* outer = as<Subscript>(e);
    const auto* moved =
        outer && outer->indices.size() == 1 ? as<AddressOf>(withoutViews(outer->base)) : nullptr;
    const auto* inner = moved ? as<Subscript>(moved->place) : nullptr;
    if (!inner || inner->indices.size() != 1 || !inner->base->type->isPointer()) return e;
    // Pointers move by 64 bits, whatever the numbers are.
    const bool isStart = constantValue(outer->indices[0]) == std::optional<int64_t>(0);
    const ExprPtr index =
        isStart ? inner->indices[0]
                : plus(convert(inner->indices[0], int64()), convert(outer->indices[0], int64()));
    return makeExpr(e->type, Subscript{inner->base, {index}}, e->loc);
  }
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* a = s->as<Assign>();
    if (!a || !a->op || !a->place->is<Subscript>()) return {s};
    const ExprPtr before = convert(a->place, isShift(*a->op) ? promoted(a->place->type) : a->value->type);
    const ExprPtr value = makeExpr(before->type, Binary{*a->op, before, a->value}, s->loc);
    return {assign(a->place, convert(value, a->place->type), s->loc)};
  }

 private:
  // Pointers to the same elements, const or not.
  static ExprPtr withoutViews(const ExprPtr& pointer) {
    const auto* cast = as<Cast>(pointer);
    return cast && cast->operand->type->isPointer() &&
                   sameType(pointer->type->element, cast->operand->type->element)
               ? withoutViews(cast->operand)
               : pointer;
  }
};

bool touchesMemory(const StmtPtr& s) {
  bool found = false;
  walkStmts(s, [&](const Stmt& one) {
    for (const ir::Access& access : accesses(one)) {
      const Variable* own = storageOf(*access.place);
      found = found || !own || own->storage == Storage::Global;
    }
  });
  return found;
}

class StepReader {
 public:
  explicit StepReader(const LaunchStep& ofLaunch) : launch(ofLaunch) {
    code.kernel = structured(launch.kernel);
  }

  LaunchCode run() {
    const LaunchAssumption assumed = launchAssumption(*code.kernel);
    if (!assumed.free) refuse(assumed.reason, code.kernel->loc);
    orRefuse(obstacleToOtherIds(*code.kernel));
    const StmtPtr& before = code.kernel->body;
    for (CoordKind kind : {CoordKind::ThreadIdx, CoordKind::BlockIdx, CoordKind::GlobalId})
      if (usedAxes(before, kind) > 1) refuse("threads have numbers along more than x", code.kernel->loc);
    if (usedAxes(before, CoordKind::GridDim) || usedAxes(before, CoordKind::GlobalSize))
      refuse("a step asks how many threads there are", code.kernel->loc);
    StmtPtr body = withArguments(before);
    changed = assignedVariables(body);
    for (const Variable* var : addressTaken(body)) changed.insert(var);
    body = PlainPlaces().rewriteBlock(withoutPointers(body));
    list(stmtsOf(body), true);
    if (!code.bound) refuse("no test says how many threads have work", code.kernel->loc);
    code.changed = changed;
    return std::move(code);
  }

 private:
  // Arguments in place of parameters; sums and products get a variable first.
  StmtPtr withArguments(const StmtPtr& body) {
    const std::set<const Variable*> written = assignedVariables(body);
    Substitution values;
    StmtList first;
    for (size_t p = 0; p < code.kernel->params.size(); ++p) {
      const VarPtr& param = code.kernel->params[p];
      ExprPtr arg = launch.args[p];
      if (param->type->isPointer()) {
        const ExprPtr array = withoutCasts(arg);
        if (!array->is<VarRef>() || written.contains(param.get()) ||
            !sameType(array->type->element, param->type->element))
          refuse(fmt::format("what is handed over as {} is no array by its name", param->name), param->loc);
        values.emplace_back(param, array);
        continue;
      }
      arg = convert(arg, param->type);
      const bool isPlain = as<VarRef>(arg) || constantValue(arg);
      if (isPlain && !written.contains(param.get())) {
        values.emplace_back(param, arg);
        continue;
      }
      auto local = std::make_shared<Variable>(*param);
      local->storage = Storage::Local;
      first.push_back(makeStmt(Declare{local, arg}, param->loc));
      values.emplace_back(param, ref(VarPtr(local)));
    }
    for (const StmtPtr& s : stmtsOf(substituted(body, values))) first.push_back(s);
    return block(first, body->loc);
  }

  // Pointers of the thread's own that get one value are replaced by it.
  StmtPtr withoutPointers(const StmtPtr& body) {
    Substitution values;
    walkStmts(body, [&](const Stmt& s) {
      const auto* d = s.as<Declare>();
      if (d && d->init && d->var->type->isPointer() && !changed.contains(d->var.get()))
        values.emplace_back(d->var, substituted(d->init, values));
    });
    return values.empty() ? body : withoutDeadCode(substituted(body, values), {});
  }

  void list(const StmtList& stmts, bool isLast) {
    for (size_t i = 0; i < stmts.size(); ++i) {
      const StmtPtr& s = stmts[i];
      bool ends = isLast;
      for (size_t j = i + 1; j < stmts.size(); ++j) ends = ends && stmts[j]->is<Comment>();
      if (s->is<Block>()) {
        list(stmtsOf(s), ends);
      } else if (const auto* choice = s->as<If>(); choice && touchesMemory(s)) {
        if (choice->otherwise || !ends || touchesMemory(makeStmt(If{choice->cond, block({}), nullptr})))
          refuse("memory is touched under a condition that does not tell threads apart by their number",
                 s->loc);
        for (const ExprPtr& part : conjuncts(choice->cond)) test(part, s->loc);
        list(stmtsOf(choice->then), true);
      } else {
        statement(s);
      }
    }
  }

  // A test around all that the thread does: of the thread's number, or of the launch.
  void test(const ExprPtr& cond, const SourceLoc& loc) {
    const ExprPtr closed = withConstants(cond);
    if (!closed)
      refuse("memory is touched under a condition that does not tell threads apart by their number", loc);
    if (!usesCoordinates(closed)) {
      code.conditions.push_back(closed);
      return;
    }
    const auto* compare = as<Binary>(closed);
    LaunchValues values{LaunchSizes{}};
    values.thread = affine::Poly::atom(kLow);
    auto isThread = [&](const ExprPtr& e) {
      const auto value = values.of(e);
      return value && *value == values.thread;
    };
    ExprPtr bound;
    if (compare && isThread(compare->lhs) && !usesCoordinates(compare->rhs)) {
      if (compare->op == BinaryOp::Lt) bound = compare->rhs;
      if (compare->op == BinaryOp::Le) bound = plus(compare->rhs, intLit(1, compare->rhs->type));
    } else if (compare && isThread(compare->rhs) && !usesCoordinates(compare->lhs)) {
      if (compare->op == BinaryOp::Gt) bound = compare->lhs;
      if (compare->op == BinaryOp::Ge) bound = plus(compare->lhs, intLit(1, compare->lhs->type));
    }
    if (!bound || code.bound)
      refuse("which threads have work is not decided by one bound of their number", loc);
    code.bound = bound;
  }

  void statement(const StmtPtr& s) {
    if (s->is<Comment>() || assumed(*s)) return;
    walkStmts(s, [&](const Stmt& one) {
      if (one.is<Barrier>() || one.is<Fence>() || prints(one) || one.is<Assert>() || one.is<Eval>() ||
          one.is<Return>())
        refuse("a step does more than compute, load and store", one.loc);
    });
    if (const auto* d = s->as<Declare>(); d && d->init && d->var->type->is(TypeKind::Int) &&
                                          !changed.contains(d->var.get()) && !touchesMemory(s))
      if (const ExprPtr closed = withConstants(d->init)) {
        numbers.emplace_back(d->var, convert(closed, d->var->type));
        code.numbers[d->var.get()] = numbers.back().second;
      }
    LaunchStatement out{s, {}, std::nullopt};
    if (!s->is<Declare>() && !s->is<Assign>()) {
      if (touchesMemory(s)) refuse("memory is touched in a loop or in one branch of several", s->loc);
      code.stmts.push_back(std::move(out));
      return;
    }
    for (const ir::Access& access : accesses(*s)) {
      const Variable* own = storageOf(*access.place);
      if (own && own->storage != Storage::Global) continue;
      if (own && own->space == Space::Constant && access.mode == AccessMode::Read) continue;
      const auto* element = as<Subscript>(access.place);
      const auto* array = element ? as<VarRef>(withoutCasts(element->base)) : nullptr;
      if (!array || access.atomic || access.through || access.mode == AccessMode::Address ||
          access.mode == AccessMode::ReadWrite || element->indices.size() != 1 ||
          array->var->type->isVolatile || !sameType(array->var->type->element, access.place->type))
        refuse("a step touches memory by other means than plain loads and stores of an array's elements",
               s->loc);
      LaunchElement at{access.place.get(), array->var, withConstants(element->indices[0])};
      if (!at.index)
        refuse(fmt::format("a subscript of {} is made of more than thread numbers and sizes", at.array->name),
               s->loc);
      if (access.mode == AccessMode::Read) {
        out.loads.push_back(at);
        continue;
      }
      const auto* a = s->as<Assign>();
      if (!a || a->place.get() != at.place || a->op)
        refuse("a step touches memory by other means than plain loads and stores of an array's elements",
               s->loc);
      if (!code.bound) refuse("no test says how many threads have work", s->loc);
      out.store = at;
    }
    code.stmts.push_back(std::move(out));
  }

  // Over coordinates and the plan's variables; null where other variables, memory or calls are in it.
  ExprPtr withConstants(const ExprPtr& e) {
    bool isClosed = true;
    walkExprs(e, [&](const Expr& one) {
      if (one.is<Subscript>() || one.is<Call>() || one.is<Member>() || one.is<Swizzle>()) isClosed = false;
      const auto* var = one.as<VarRef>();
      if (var && (changed.contains(var->var.get()) || var->var->storage == Storage::Global)) isClosed = false;
      if (var && var->var->storage == Storage::Local && !code.numbers.contains(var->var.get()) &&
          !isOfPlan(var->var))
        isClosed = false;
    });
    return isClosed ? substituted(e, numbers) : nullptr;
  }

  bool isOfPlan(const VarPtr& var) const {
    return std::any_of(launch.args.begin(), launch.args.end(),
                       [&](const ExprPtr& arg) { return mentions(arg, var.get()); });
  }

  const LaunchStep& launch;
  LaunchCode code;
  Substitution numbers;  // of the code, by variable
  std::set<const Variable*> changed;
};

}  // namespace

Result<LaunchCode> launchCode(const LaunchStep& launch) {
  return refusing([&] { return StepReader(launch).run(); });
}

bool usesCoordinates(const ExprPtr& e) {
  bool found = false;
  walkExprs(e, [&](const Expr& one) { found = found || one.is<Coord>(); });
  return found;
}

}  // namespace hone::passes
