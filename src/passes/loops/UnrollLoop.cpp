#include "passes/loops/UnrollLoop.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "affine/Implied.h"
#include "ir/Build.h"
#include "ir/TripCount.h"
#include "ir/Walk.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/Candidate.h"
#include "passes/host/PlanEdit.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr int64_t kMostIterations = 256;  // unrolled in full

struct Unrolling {
  StmtPtr loop;
  std::string handle;
  Counted count;
  int64_t by = 0, step = 1;  // step: added each iteration, negative when it counts down
  bool isFull = false, hasRemainder = true;
  bool isNonNegative = false;  // the variable is never negative
  bool endsAboveZero = false;  // nor is the loop's end, where the loop stands
};

// Whether conditions around a loop of the model say that what it counts up to is not negative.
bool endsAboveZero(const affine::KernelModel& model, const affine::Loop& loop) {
  if (!loop.runs || loop.runs->kind != affine::CondKind::AtLeast0) return false;
  const affine::Poly last =
      model.atoms->substitute(loop.runs->value, {{loop.counter, affine::Poly(0)}}) + loop.first;
  for (const affine::Branch& branch : model.branches) {
    const auto* choice = as<If>(branch.stmt);
    bool isAround = false;
    if (choice) walkStmts(choice->then, [&](const Stmt& s) { isAround = isAround || &s == loop.stmt.get(); });
    if (!isAround) continue;
    if (affine::makesSure(*model.atoms, affine::conjuncts(branch.cond), last + affine::Poly(1))) return true;
  }
  return false;
}

// Whether a statement of a loop's head gives a variable its value.
bool sets(const StmtPtr& s, const Variable& var) {
  const auto* d = as<Declare>(s);
  const auto* a = as<Assign>(s);
  const auto* place = a ? as<VarRef>(a->place) : nullptr;
  return (d && d->var.get() == &var) || (place && place->var.get() == &var);
}

// Null when it can be done; else why not.
Obstacle decide(Unrolling& u, const affine::KernelModel& model, std::optional<int64_t> by) {
  const auto* loop = as<For>(u.loop);
  const auto taken = addressTaken(model.kernel->body);
  const auto count = loop ? counted(*loop, &taken) : std::nullopt;
  if (!count) return Refusal{fmt::format("{} is no loop that counts", u.handle)};
  u.count = *count;
  const auto iterations = tripCount(*loop, *count);
  if (by == allIterations) {
    if (!iterations)
      return Refusal{
          fmt::format("the number of iterations of {} is not known before the launch; give by=4", u.handle)};
    if (*iterations > kMostIterations)
      return Refusal{fmt::format("{} has {} iterations, too many to unroll in full", u.handle, *iterations)};
    u.isFull = true;
    return std::nullopt;
  }
  if (by && (*by < 2 || *by > 64))
    return Refusal{fmt::format("by={} is neither a number from 2 to 64 nor full", *by)};
  u.by = by.value_or(4);
  if (iterations && *iterations <= u.by) {
    u.isFull = true;
    return std::nullopt;
  }
  if (count->op != BinaryOp::Add && count->op != BinaryOp::Sub)
    return Refusal{fmt::format("the variable of {} is multiplied or divided in each iteration", u.handle)};
  const auto step = constantValue(count->step);
  if (!step) return Refusal{fmt::format("the step of {} is not known before the launch", u.handle)};
  u.step = count->op == BinaryOp::Add ? *step : -*step;
  if (count->compare == BinaryOp::Ne && u.step != 1 && u.step != -1)
    return Refusal{
        fmt::format("{} ends at one value only, which steps of {} could jump over", u.handle, u.step)};
  if (std::count_if(loop->init.begin(), loop->init.end(),
                    [&](const StmtPtr& s) { return sets(s, *count->var); }) > 1)
    return Refusal{fmt::format("the head of {} sets its variable twice", u.handle)};
  const Exits exits = exitsOf(loop->body);
  if (exits.breaks) return Refusal{fmt::format("{} is left by break", u.handle)};
  bool declaresShared = false;
  walkStmts(loop->body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    declaresShared |= d && d->var->space == Space::Shared;
  });
  if (declaresShared)
    return Refusal{fmt::format("{} declares shared memory, which cannot stand there twice", u.handle)};
  u.hasRemainder = !iterations || *iterations % u.by != 0;
  for (const affine::Loop& l : model.loops)
    if (l.stmt == u.loop && l.values.empty() && u.step > 0)
      u.isNonNegative = model.atoms->range(l.first).low >= 0, u.endsAboveZero = endsAboveZero(model, l);
  return std::nullopt;
}

// What so many iterations add to the variable or take from it, by the name that the step has.
ExprPtr multiple(const Unrolling& u, const ExprPtr& iterations) {
  const int64_t step = u.step < 0 ? -u.step : u.step;
  if (step == 1) return iterations;
  const ExprPtr written = withoutCasts(u.count.step);
  const auto* literal = as<IntLiteral>(written);
  const bool isNamed = literal && constantValue(written) == std::optional(step);
  return binary(BinaryOp::Mul, iterations, isNamed ? relabelled(*literal, int32()) : intLit(step));
}

// Whether `by` iterations are left, exactly, whatever the numbers are.
ExprPtr enoughLeft(const Unrolling& u, const VarPtr& next, const ExprPtr& by) {
  const Counted& c = u.count;
  const TypePtr type = c.end->type;
  const bool rises = u.step > 0;
  const int64_t step = rises ? u.step : -u.step;
  const bool inclusive = c.compare == BinaryOp::Le || c.compare == BinaryOp::Ge;
  const ExprPtr at = convert(ref(next), type);
  const auto begin = c.begin ? constantValue(c.begin) : std::nullopt;
  // Where the distance could pass the type's end it is taken without a sign.
  const bool isSafe = !type->isSigned || (rises && u.isNonNegative);
  const TypePtr distanceType = isSafe ? type : intType(type->bits, false);
  const ExprPtr from = convert(rises ? at : c.end, distanceType),
                to = convert(rises ? c.end : at, distanceType);
  const ExprPtr distance = minus(to, from);
  // One iteration covers `step`; the last of them needs only to begin before the end.
  ExprPtr enough;
  if (step == 1 && !inclusive)
    enough = binary(BinaryOp::Ge, distance,
                    HONE_SEED(UnrollTooFar, convert(by, distanceType),
                              minus(convert(by, distanceType), intLit(1, distanceType))));
  else
    enough = binary(inclusive ? BinaryOp::Ge : BinaryOp::Gt, distance,
                    convert(multiple(u, binary(BinaryOp::Sub, by, intLit(1, by->type))), distanceType));
  if (c.compare == BinaryOp::Ne) return enough;
  // From zero upwards in steps of one the distance is never below zero, and one below zero is small.
  if (rises && begin == std::optional<int64_t>(0) && !inclusive && (step == 1 || type->isSigned))
    return enough;
  // Between two numbers that are not negative it is what it is.
  if (rises && type->isSigned && u.isNonNegative && u.endsAboveZero) return enough;
  return andAlso(makeExpr(boolType(), Binary{c.compare, at, c.end}), enough);
}

// A statement of a loop's head with a value in place of a variable.
StmtPtr instead(const StmtPtr& s, const VarPtr& var, const ExprPtr& value) {
  return substituted(s, {{var, value}})->as<Block>()->stmts.front();
}

StmtList rewritten(Kernel& kernel, const Unrolling& u) {
  const auto* loop = as<For>(u.loop);
  const SourceLoc loc = u.loop->loc;
  if (u.isFull) {
    For full = *loop;
    full.unroll = -1;
    return {makeStmt(full, loc)};
  }
  Names names(kernel);
  const Counted& c = u.count;
  const TypePtr type = c.var->type;
  const ExprPtr by = named(u.by, addConstant(kernel, {RoleKind::UnrollFactor}, u.by,
                                             "iterations of a loop between two tests of its end"));
  const VarPtr next = makeLocal(names, c.var->name + "_next", type);
  StmtList out;
  out.push_back(makeStmt(Comment{fmt::format("{} iterations at a time{}", u.by,
                                             u.hasRemainder ? "; the second loop does the rest." : ".")},
                         loc));
  // 1. What the head sets up besides the variable.
  ExprPtr begin = c.begin ? c.begin : ref(c.var);
  bool isBegun = false;
  for (const StmtPtr& s : loop->init) {
    if (sets(s, *c.var)) {
      out.push_back(makeStmt(Declare{next, begin}, loc));
      isBegun = true;
    } else {
      // What follows the variable in the head may use it.
      out.push_back(isBegun ? instead(s, c.var, ref(next)) : s);
    }
  }
  if (!isBegun) out.push_back(makeStmt(Declare{next, begin}, loc));
  // 2. `by` iterations at a time: the body as it is, with a variable of the iteration.
  auto iteration = std::make_shared<Variable>(*c.var);
  iteration->isConst = true;
  const VarPtr index = makeLocal(names, "u", int32());
  const ExprPtr value = convert(
      u.step < 0 ? minus(ref(next), multiple(u, ref(index))) : plus(ref(next), multiple(u, ref(index))),
      type);
  StmtList body;
  if (mentions(loop->body, c.var.get())) body.push_back(makeStmt(Declare{iteration, value}, loc));
  const StmtPtr copy =
      substituted(u.hasRemainder ? freshCopy(loop->body) : loop->body, {{c.var, ref(VarPtr(iteration))}});
  const auto* stmts = as<Block>(copy);
  body.insert(body.end(), stmts->stmts.begin(), stmts->stmts.end());
  For inner = *as<For>(countingLoop({.var = index, .end = by, .body = block(body), .unroll = -1}, loc));
  // The step counts the iterations instead; what else it does comes before that or after it, as it did.
  const StmtPtr count = inner.step.front();
  inner.step.clear();
  for (const StmtPtr& s : loop->step)
    inner.step.push_back(sets(s, *c.var) ? count : instead(s, c.var, value));
  const ExprPtr advance = multiple(u, by);
  const BinaryOp op = u.step < 0 ? BinaryOp::Sub : BinaryOp::Add;
  const TypePtr computed = usualArithmetic(type, advance->type);
  out.push_back(makeStmt(For{{},
                             enoughLeft(u, next, by),
                             {makeStmt(Assign{ref(next), op, convert(advance, computed)})},
                             block({makeStmt(inner, loc)})},
                         loc));
  // 3. The rest, and the value that the variable has after the loop.
  if (u.hasRemainder) {
    For rest = *loop;
    rest.unroll = 1;  // fewer iterations than fill the first loop once
    const ExprPtr start = HONE_SEED(UnrollRestFromStart, ref(next), begin);
    rest.init = {c.declares ? makeStmt(Declare{c.var, start}, loc) : assign(ref(c.var), start, loc)};
    out.push_back(makeStmt(rest, loc));
  } else if (!c.declares) {
    out.push_back(assign(ref(c.var), ref(next), loc));
  }
  return out;
}

bool isInnermost(const std::vector<LoopHandle>& loops, size_t at) {
  return std::none_of(loops.begin(), loops.end(),
                      [&](const LoopHandle& l) { return l.parent == static_cast<int>(at); });
}

// Loops of known numbers of iterations, from the inside out, as long as all their iterations together are
// few. Those inside that were unrolled before (merged threads) are no obstacle.
std::vector<std::string> nestsToUnroll(const std::vector<LoopHandle>& loops) {
  std::vector<int64_t> iterations(loops.size(), 0);  // of the whole nest; 0: not to be unrolled
  std::vector<std::string> out;
  for (size_t i = loops.size(); i-- > 0;) {
    const auto* loop = as<For>(loops[i].loop);
    const auto count = loop ? counted(*loop) : std::nullopt;
    const auto own = count ? tripCount(*loop, *count) : std::nullopt;
    int64_t all = own.value_or(0);
    for (size_t k = i + 1; k < loops.size(); ++k)
      if (loops[k].parent == static_cast<int>(i)) {
        const auto* inner = as<For>(loops[k].loop);
        if (!(inner && inner->unroll == -1)) all *= iterations[k];
      }
    if (all <= 0 || all > kMostIterations || loop->unroll > 0) continue;
    iterations[i] = all;
    if (loop->unroll == 0) out.push_back(loops[i].name);
  }
  return out;
}

// Shared arrays whose elements the iterations of such a loop read side by side: where their rows begin at
// multiples of 16 bytes compilers read several at once, once they know.
StmtPtr withAlignedTiles(const StmtPtr& body, const std::vector<StmtPtr>& unrolled) {
  std::set<const Variable*> read;
  for (const StmtPtr& loop : unrolled) {
    const VarPtr counter = counted(*as<For>(loop))->var;
    walkExprs(as<For>(loop)->body, [&](const Expr& e) {
      const auto* element = e.as<Subscript>();
      const VarPtr var = element ? rootVariable(element->base) : nullptr;
      if (!var || var->space != Space::Shared || var->isDynamicShared || var->alignment >= 16) return;
      TypePtr row = var->type;
      if (!row->is(TypeKind::Array) || !element->base->is<VarRef>()) return;
      while (row->element->is(TypeKind::Array)) row = row->element;
      if (!row->element->isArithmetic() || sizeOf(*row->element) > 8 || sizeOf(*row) % 16 != 0) return;
      if (variablesOf(element->indices.back()).contains(counter.get())) read.insert(var.get());
    });
  }
  if (read.empty()) return body;
  Renaming aligned;
  walkStmts(body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (!d || !read.contains(d->var.get())) return;
    auto copy = std::make_shared<Variable>(*d->var);
    copy->alignment = 16;
    aligned.by[d->var.get()] = copy;
  });
  return aligned.rewriteBlock(body);
}

}  // namespace

std::vector<std::string> loopsToUnroll(const LaunchStep& launch) {
  std::vector<std::string> out;
  const auto loops = handles(*launch.kernel).loops;
  for (size_t i = 0; i < loops.size(); ++i) {
    const auto* loop = as<For>(loops[i].loop);
    if (loop && loop->unroll == 0 && isInnermost(loops, i) && counted(*loop)) out.push_back(loops[i].name);
  }
  return out;
}

bool gainsByUnrolling(const LaunchStep& launch) {
  constexpr int64_t compilersOwn = 32;
  const auto loops = handles(*launch.kernel).loops;
  for (const std::string& name : loopsToUnroll(launch)) {
    const For& loop = *as<For>(loops[*findLoop(loops, name)].loop);
    const auto iterations = tripCount(loop, *counted(loop));
    if (!iterations || *iterations > compilersOwn) return true;
  }
  return false;
}

LaunchResult unrollLoop(const LaunchStep& original, const UnrollOptions& options, PassContext& context) {
  LaunchResult result{original, nullptr, {}};
  const KernelPtr plain = withDistinctStatements(original.kernel);
  const std::vector<LoopHandle> loops = handles(*plain).loops;
  const auto block = fixedBlock(original).value_or(context.block);
  // 1. Decide: which loops, and how.
  std::vector<std::string> wanted = options.loops;
  const bool isNamed = !wanted.empty();
  const bool isFull = options.by == allIterations;
  if (!isNamed) wanted = isFull ? nestsToUnroll(loops) : loopsToUnroll(original);
  if (!isNamed && wanted.empty()) wanted = loopsToUnroll(original);
  if (wanted.empty()) return Refusal{"it has no innermost loop that counts"};
  const affine::KernelModel& model = context.facts.of(plain, block).model();
  std::vector<Unrolling> todo;
  Obstacle last;
  std::set<size_t> chosen;
  for (const std::string& name : wanted) {
    const auto at = findLoop(loops, name);
    if (!at) return at.refusal();
    chosen.insert(*at);
  }
  for (size_t at : chosen) {
    Unrolling one;
    one.loop = loops[at].loop;
    one.handle = loops[at].name;
    if (Obstacle no = decide(one, model, options.by))
      last = Refusal{no->reason, one.loop->loc};
    else
      todo.push_back(one);
    if (last && isNamed) return *last;
  }
  if (todo.empty()) return *last;
  // 2. Rewrite, the last first: a loop inside another stays where it is until its turn comes. A kernel about
  // which facts are kept must not change.
  auto kernel = std::make_shared<Kernel>(*plain);
  for (auto one = todo.rbegin(); one != todo.rend(); ++one) {
    // Loops inside it may have changed.
    const std::vector<LoopHandle> now = handles(*kernel).loops;
    one->loop = now[*findLoop(now, one->handle)].loop;
    const StmtList by = rewritten(*kernel, *one);
    kernel->body = replaceStmt(kernel->body, one->loop, by);
    result.remarks.push_back(
        {RemarkKind::Done, one->loop->loc, kernel->name,
         one->isFull
             ? fmt::format("unrolled {}: all its iterations", one->handle)
             : fmt::format("unrolled {}: {} iterations between two tests{}", one->handle, one->by,
                           one->hasRemainder ? ", a second loop does the rest" : ", and none are left")});
  }
  std::vector<StmtPtr> whole;
  for (const LoopHandle& loop : handles(*kernel).loops)
    if (std::any_of(todo.begin(), todo.end(),
                    [&](const Unrolling& u) { return u.isFull && u.handle == loop.name; }))
      if (const auto* f = as<For>(loop.loop); f && f->unroll == -1 && counted(*f)) whole.push_back(loop.loop);
  kernel->body = withAlignedTiles(kernel->body, whole);
  std::reverse(result.remarks.begin(), result.remarks.end());
  kernel->story.push_back(
      fmt::format("Loops are unrolled ({}).",
                  todo.front().isFull ? "fully" : std::to_string(todo.front().by) + " iterations at a time"));
  result.launch->kernel = kernel;
  return result;
}

namespace {

template <int64_t Few, int64_t Many>
std::vector<Recipe> proposeUnrolling(const Candidate& candidate) {
  if (std::none_of(candidate.launches.begin(), candidate.launches.end(),
                   [](const LaunchStep* launch) { return gainsByUnrolling(*launch); }))
    return {};
  return {{{unrollPass()({.by = Few})}}, {{unrollPass()({.by = Many})}}};
}

}  // namespace

const PassOf<UnrollOptions>& unrollPass() {
  static const PassOf<UnrollOptions> pass =
      PassOf<UnrollOptions>(
          "unroll",
          "A loop does several iterations between two tests of its end, and a second loop does "
          "the rest; or all of a known number of iterations.",
          unrollLoop)
          .names(&UnrollOptions::loops, "<loop>", ParameterKind::Loops,
                 "loops by their handles (L1.2); none: innermost loops that count",
                 valuesFrom([](const LaunchStep& launch, PassContext&) { return loopsToUnroll(launch); }))
          .numberOr(&UnrollOptions::by, "by", "full", allIterations,
                    "iterations, 4 without it; full: all of them", values({2, 4, 8, "full"}))
          .with({.isCompilersToo = true, .keepsAccesses = true})
          .proposes({Level::Overlap, 20, proposeUnrolling<4, 8>})
          .proposes({Level::Overlap, 10, proposeUnrolling<2, 16>, ProposedTo::Spaces});
  return pass;
}

}  // namespace hone::passes
