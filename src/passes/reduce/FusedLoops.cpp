#include "passes/reduce/FusedLoops.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Compare.h"
#include "ir/StmtsOf.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/edit/ThreadEffects.h"
#include "passes/reduce/SumUpdates.h"

namespace hone::passes {

using namespace ir;
using affine::AccessId;

namespace {

class PartReplacer : public Rewriter {
 public:
  std::vector<ExprPtr> parts;
  ExprPtr by;

  ExprPtr rewrite(const ExprPtr& e) override {
    const bool isOne = e && std::ranges::any_of(parts, [&](const ExprPtr& part) { return equal(part, e); });
    return isOne ? convert(by, e->type) : Rewriter::rewrite(e);
  }
};

// The loop's variable as its statements in the kernel have it.
const VarPtr& counterOf(const ReductionKernel& loop) {
  return loop.loop.outer ? loop.loop.outer : loop.loop.count.var;
}

StmtList statementsOf(const ReductionKernel& loop) { return stmtsOf(as<For>(loop.loop.loop)->body); }

StmtList withCounter(const StmtList& body, const VarPtr& from, const VarPtr& to) {
  return from == to ? body : as<Block>(substituted(block(body), {{from, ref(to)}}))->stmts;
}

bool computesOnly(const StmtPtr& s) {
  const auto* d = as<Declare>(s);
  return s->is<Comment>() || (d && d->init && isPure(d->init) && effectOf(s) == Effect::None);
}

bool namesAny(const ExprPtr& e, const std::set<const Variable*>& of) {
  const auto named = variablesOf(e);
  return std::ranges::any_of(named, [&](const Variable* v) { return of.contains(v); });
}

// What stands between two statements of one block; nothing where they do not stand so.
std::optional<StmtList> between(const StmtPtr& body, const StmtPtr& first, const StmtPtr& second) {
  const Position a = positionOf(body, first), b = positionOf(body, second);
  if (!a.block || a.block != b.block || a.index >= b.index) return std::nullopt;
  return StmtList(a.list().begin() + static_cast<std::ptrdiff_t>(a.index) + 1,
                  a.list().begin() + static_cast<std::ptrdiff_t>(b.index));
}

}  // namespace

FusedLoops::FusedLoops(const LaunchStep& step, const affine::KernelModel& kernelModel,
                       const PassContext& context, const RowLoops& rowLoops, Names& kernelNames)
    : model(kernelModel),
      row(rowLoops),
      names(kernelNames),
      elements(step, kernelModel, context, rowLoops, 1, 1) {}

Obstacle FusedLoops::decide() {
  Obstacle no;
  const auto& loops = row.loops();
  for (size_t i = 0; i < loops.size(); ++i)
    for (const Accumulator& sum : loops[i]->loop.sums) {
      if (sum.how != Combine::Max || !sum.var->type->isFloating() || sum.where) continue;
      const auto next = std::find_if(
          loops.begin() + static_cast<std::ptrdiff_t>(i) + 1, loops.end(), [&](const ReductionKernel* one) {
            return !one->loop.sums.empty() && mentions(one->loop.loop, sum.var.get());
          });
      if (next == loops.end() || endingWith(**next)) continue;
      const Obstacle one = fuse(*loops[i], **next, sum);
      if (one && !no) no = Refusal{one->reason, (*next)->loop.loop->loc};
    }
  if (fused.empty())
    return no ? no : Refusal{"no loop sums up with the greatest value that an earlier one found"};
  return elements.close();
}

const FusedPair* FusedLoops::endingWith(const ReductionKernel& loop) const {
  const auto at = std::ranges::find(fused, &loop, &FusedPair::second);
  return at == fused.end() ? nullptr : &*at;
}

bool FusedLoops::beginsPair(const ReductionKernel& loop) const {
  return std::ranges::find(fused, &loop, &FusedPair::first) != fused.end();
}

Obstacle FusedLoops::fuse(const ReductionKernel& first, const ReductionKernel& second,
                          const Accumulator& most) {
  FusedPair pair{&first, &second, most, {}, {}, {}, {}, {}, {}};
  pair.rise.of = most.var;
  for (VarPtr* one : {&pair.rise.from, &pair.rise.to}) {
    auto var = std::make_shared<Variable>(*most.var);
    *one = var;
  }
  if (Obstacle no = haveSameIterations(first, second, most)) return no;
  ExprPtr written;
  if (Obstacle no = takeFirst(pair, written)) return no;
  const BodyConstants constants(pair.before);
  const ExprPtr value = constants.within(written);
  if (Obstacle no = takeStart(pair, value)) return no;
  std::vector<Dropped> drops;
  if (Obstacle no = takeSecond(pair, written, value, drops)) return no;
  fused.push_back(std::move(pair));
  for (Dropped& one : drops) dropped.push_back(std::move(one));
  return std::nullopt;
}

Obstacle FusedLoops::haveSameIterations(const ReductionKernel& first, const ReductionKernel& second,
                                        const Accumulator& most) const {
  const std::string &one = first.loop.handle, &two = second.loop.handle;
  const Counted &a = first.loop.count, &b = second.loop.count;
  if (!equal(a.begin, b.begin) || !equal(a.end, b.end) || a.compare != b.compare ||
      signedStep(a) != signedStep(b) || !sameType(a.var->type, b.var->type))
    return Refusal{fmt::format("{} has other iterations than {}", two, one)};
  const auto inBetween = between(model.kernel->body, first.loop.loop, second.loop.loop);
  if (!inBetween) return Refusal{fmt::format("{} and {} stand in different blocks", one, two)};
  for (const StmtPtr& s : *inBetween) {
    if (mentions(s, most.var.get()))
      return Refusal{fmt::format("what stands between {} and {} needs {}", one, two, most.var->name)};
    const Effect effect = effectOf(s);
    if (effect == Effect::Stores || effect == Effect::Other)
      return Refusal{fmt::format("something is stored between {} and {}", one, two)};
  }
  // What both go by has to be the same.
  auto changed = assignedVariables(block(*inBetween));
  for (const Variable* v : assignedVariables(second.loop.node.body)) changed.insert(v);
  bool isMoved = namesAny(b.begin, changed) || namesAny(b.end, changed);
  for (const StmtPtr& s : statementsOf(first))
    forEachExpr(*s, [&](const ExprPtr& e) { isMoved |= namesAny(e, changed); });
  if (isMoved) return Refusal{fmt::format("what {} goes by is another for {}", one, two)};
  return std::nullopt;
}

// Values, and the comparison with the greatest so far.
Obstacle FusedLoops::takeFirst(FusedPair& pair, ExprPtr& value) const {
  const ReductionKernel& loop = *pair.first;
  const Refusal other{fmt::format("{} does more than find {}", loop.loop.handle, pair.most.var->name)};
  if (loop.loop.sums.size() != 1) return other;
  for (const StmtPtr& s : withCounter(statementsOf(loop), counterOf(loop), pair.second->loop.count.var)) {
    const auto* set = as<Assign>(s);
    const auto* choice = as<If>(s);
    const auto update = set      ? updateBy(*set, pair.most.var.get())
                        : choice ? updateBy(*choice, pair.most.var.get())
                                 : std::nullopt;
    if (update && update->how == Combine::Max && update->value && isPure(update->value) && !value) {
      value = update->value;
      continue;
    }
    if (!computesOnly(s) || value) return other;
    pair.before.push_back(s);
  }
  return value ? std::nullopt : Obstacle(other);
}

// A number that is known, or the first of the values.
Obstacle FusedLoops::takeStart(FusedPair& pair, const ExprPtr& value) const {
  const VarPtr& var = pair.most.var;
  const StmtList& before = pair.first->before;
  ExprPtr start;
  std::set<const Variable*> changed;
  bool isStored = false;
  for (auto s = before.rbegin(); s != before.rend() && !start; ++s) {
    const auto* d = as<Declare>(*s);
    const auto* set = as<Assign>(*s);
    const bool isSet = set && !set->op && set->place->is<VarRef>() && rootVariable(set->place) == var;
    if ((d && d->var == var) || isSet) {
      start = d ? d->init : set->value;
      break;
    }
    const auto more = assignedVariables(*s);
    if (more.contains(var.get())) break;
    changed.insert(more.begin(), more.end());
    const Effect effect = effectOf(*s);
    isStored |= effect == Effect::Stores || effect == Effect::Other;
  }
  const auto number = start ? floatingValue(convert(start, var->type)) : std::nullopt;
  if (number && *number < std::numeric_limits<double>::infinity()) {
    if (std::isinf(*number)) pair.lowest = convert(start, var->type);
    return std::nullopt;
  }
  const Counted& c = pair.second->loop.count;
  const ExprPtr first = simplified(substituted(value, {{c.var, convert(c.begin, c.var->type)}}));
  if (start && !isStored && !namesAny(first, changed) && equal(withoutExactCasts(simplified(start)), first)) {
    const ExprPtr infinity =
        makeExpr(floatType(32), FloatLiteral{std::numeric_limits<double>::infinity(), {}, "INFINITY"});
    pair.lowest = convert(unary(UnaryOp::Neg, infinity), var->type);
    return std::nullopt;
  }
  return Refusal{fmt::format("what {} begins with is neither a number nor the first value of {}", var->name,
                             pair.first->loop.handle)};
}

Obstacle FusedLoops::takeSecond(FusedPair& pair, const ExprPtr& written, const ExprPtr& value,
                                std::vector<Dropped>& drops) {
  const ReductionLoop& loop = pair.second->loop;
  const VarPtr& most = pair.most.var;
  StmtList body;
  if (Obstacle no = withoutStores(*pair.second, body, drops)) return no;
  body = withCounter(body, counterOf(*pair.second), loop.count.var);
  const BodyConstants constants(body);
  const auto declared = declaredVariables(block(body));
  // 1. Every sum falls by one factor where the greatest rises.
  pair.factors.assign(loop.sums.size(), nullptr);
  std::vector<bool> isSeen(loop.sums.size());
  for (const StmtPtr& s : body) {
    const auto* set = as<Assign>(s);
    if (!set && computesOnly(s)) continue;
    const auto at = std::ranges::find_if(
        loop.sums, [&](const Accumulator& sum) { return set && rootVariable(set->place) == sum.var; });
    if (at == loop.sums.end()) return Refusal{fmt::format("{} does more than sum up", loop.handle)};
    const size_t i = static_cast<size_t>(at - loop.sums.begin());
    const auto update = updateBy(*set, at->var.get());
    const ExprPtr term = update && update->value ? constants.within(update->value) : nullptr;
    const bool isOwn = term && !namesAny(term, declared);
    const ExprPtr factor = isOwn && update->how == Combine::Add ? factorOf(term, value, pair.rise) : nullptr;
    const bool isApart = isOwn && !mentions(term, most.get());
    const bool agrees =
        !isSeen[i] || (factor ? pair.factors[i] && equal(factor, pair.factors[i]) : !pair.factors[i]);
    const bool isNumber = at->var->type->isFloating() && at->var->type->bits >= 32;
    if ((!factor && !isApart) || !agrees || (factor && !isNumber))
      return Refusal{fmt::format("{} does not fall by one factor where {} rises", at->var->name, most->name)};
    pair.factors[i] = factor;
    isSeen[i] = true;
  }
  // 2. The value of the first loop, and what it was made of, are there.
  if (const auto* var = as<VarRef>(written); var && BodyConstants(pair.before).knows(var->var.get())) {
    pair.value = var->var;
  } else {
    pair.value = makeLocal(names, "value", written->type, true);
    pair.before.push_back(makeStmt(Declare{pair.value, written}, pair.first->loop.loop->loc));
  }
  const BodyConstants known(pair.before);
  Substitution same;
  Renaming renamed;
  StmtList rest;
  for (const StmtPtr& s : body) {
    const auto* d = as<Declare>(s);
    const ExprPtr made = d ? constants.within(ref(d->var)) : nullptr;
    const auto twin = std::ranges::find_if(pair.before, [&](const StmtPtr& one) {
      const auto* other = as<Declare>(one);
      return made && other && constants.knows(d->var.get()) && sameType(other->var->type, d->var->type) &&
             equal(known.within(ref(other->var)), made);
    });
    if (twin != pair.before.end()) {
      same.emplace_back(d->var, ref(as<Declare>(*twin)->var));
      continue;
    }
    if (d) {
      const bool isTaken = std::ranges::any_of(pair.before, [&](const StmtPtr& one) {
        const auto* other = as<Declare>(one);
        return other && other->var->name == d->var->name;
      });
      if (isTaken) {
        auto copy = std::make_shared<Variable>(*d->var);
        copy->name = names.fresh(d->var->name);
        renamed.by[d->var.get()] = copy;
      }
    }
    rest.push_back(s);
  }
  PartReplacer replacer;
  replacer.parts = {written, value};
  replacer.by = ref(pair.value);
  StmtPtr all = renamed.rewriteBlock(substituted(block(rest), same));
  if (!written->is<VarRef>() || pair.value != as<VarRef>(written)->var) all = replacer.rewriteBlock(all);
  // 3. Where all values so far are the least there is, exponents are counted from zero: a difference of
  // infinities is no number.
  if (pair.lowest && HONE_SEED(SplitFusedLowestIgnored, true, false)) {
    const ExprPtr isLowest = binary(BinaryOp::Eq, ref(most), pair.lowest);
    const ExprPtr from = makeExpr(most->type, Select{isLowest, floatLit(0, most->type), ref(most)});
    if (countMentions(all, most.get()) > 1) {
      const VarPtr base = makeLocal(names, most->name + "_or_zero", most->type, true);
      all = substituted(all, {{most, ref(base)}});
      pair.behind.push_back(makeStmt(Declare{base, from}, loop.loop->loc));
    } else {
      all = substituted(all, {{most, from}});
    }
  }
  for (const StmtPtr& s : stmtsOf(all)) pair.behind.push_back(s);
  return std::nullopt;
}

Obstacle FusedLoops::withoutStores(const ReductionKernel& loop, StmtList& body, std::vector<Dropped>& drops) {
  PartReplacer forwarded;
  const StmtList all = statementsOf(loop);
  for (const StmtPtr& s : all) {
    const auto* set = as<Assign>(s);
    const bool isStore = set && !storageOf(*set->place);
    // What was stored before is read from a variable.
    StmtPtr now = s;
    for (const Dropped& one : drops) {
      forwarded.parts = one.until.element.forms.at(loop.loop.index);
      forwarded.by = ref(one.stored);
      if (isStore)
        now = makeStmt(Assign{set->place, set->op, forwarded.rewrite(as<Assign>(now)->value)}, s->loc);
      else
        now = stmtsOf(forwarded.rewriteBlock(now)).front();
    }
    if (!isStore) {
      body.push_back(now);
      continue;
    }
    if (Obstacle no = drop(loop, s, *as<Assign>(now), body, drops)) return no;
    const VarPtr& stored = drops.back().stored;
    if (!BodyConstants(body).knows(stored.get()))
      body.push_back(makeStmt(Declare{stored, convert(as<Assign>(now)->value, stored->type)}, s->loc));
  }
  // Values that were only stored go, others to where they are named once.
  for (size_t i = body.size(); i-- > 0;) {
    const auto* d = as<Declare>(body[i]);
    const bool isStored = d && std::ranges::find(drops, d->var, &Dropped::stored) != drops.end();
    const StmtPtr rest = block({body.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.end()});
    const size_t named = d ? countMentions(rest, d->var.get()) : 2;
    if (named > 1 || (named == 1 && !isStored) || !computesOnly(body[i])) continue;
    body.resize(i);
    for (const StmtPtr& s : stmtsOf(substituted(rest, {{d->var, d->init}}))) body.push_back(s);
  }
  return std::nullopt;
}

// `s` as it stands in the kernel; `set`: with what was stored before read from variables.
Obstacle FusedLoops::drop(const ReductionKernel& loop, const StmtPtr& s, const Assign& set,
                          const StmtList& body, std::vector<Dropped>& drops) {
  const std::vector<AccessId> inside = row.workOf(loop.loop.loop, RowWork::By::Dealt).accesses;
  const auto store = std::ranges::find_if(
      inside, [&](AccessId a) { return model.accesses[a].stmt == s && model.accesses[a].writes(); });
  if (store == inside.end()) return unexpected("store that its model does not know", s->loc);
  const std::string& name = model.arrays[model.accesses[*store].array].name;
  const auto until = set.op ? std::nullopt : elements.replacedLater(*store);
  if (!until)
    return Refusal{fmt::format("{} stores to {}, which no later loop over the same elements replaces",
                               loop.loop.handle, name)};
  // What is stored has to be known until then.
  const BodyConstants constants(body);
  const ExprPtr stored = convert(set.value, set.place->type);
  Dropped one{*until, &loop, nullptr, constants.within(stored), {}};
  const Position at = positionOf(model.kernel->body, loop.loop.loop);
  auto changed = declaredVariables(as<For>(loop.loop.loop)->body);
  for (size_t i = at.index; i < at.list().size(); ++i)
    for (const Variable* v : assignedVariables(at.list()[i])) changed.insert(v);
  changed.erase(counterOf(loop).get());
  bool isKnown = isPure(one.value) && !namesAny(one.value, changed);
  for (const AccessId a : inside) {
    if (!model.accesses[a].reads()) continue;
    isKnown &= elements.staysReadable(a, *until);
    one.reads.push_back(a);
  }
  if (!isKnown)
    return Refusal{
        fmt::format("what {} stores to {} cannot be worked out again later", loop.loop.handle, name)};
  const auto* var = as<VarRef>(stored);
  one.stored = var && constants.knows(var->var.get())
                   ? var->var
                   : makeLocal(names, until->element.name + "_value", stored->type, true);
  drops.push_back(std::move(one));
  return std::nullopt;
}

ReductionKernel FusedLoops::together(const FusedPair& pair) const {
  const SourceLoc loc = pair.second->loop.loop->loc;
  const TypePtr& type = pair.most.var->type;
  const ExprPtr value = convert(ref(pair.value), type);
  StmtList rises;
  for (size_t i = 0; i < pair.factors.size(); ++i) {
    if (!pair.factors[i] || HONE_SEED(SplitFusedNotRescaled, false, true)) continue;
    const VarPtr& sum = pair.second->loop.sums[i].var;
    const ExprPtr by = factor(pair, i, ref(pair.most.var), value);
    rises.push_back(
        makeStmt(Assign{ref(sum), BinaryOp::Mul, convert(by, usualArithmetic(sum->type, by->type))}, loc));
  }
  rises.push_back(assign(ref(pair.most.var), value, loc));
  StmtList body = pair.before;
  body.push_back(
      makeStmt(If{binary(BinaryOp::Gt, ref(pair.value), ref(pair.most.var)), block(rises), nullptr}, loc));
  body.insert(body.end(), pair.behind.begin(), pair.behind.end());
  ReductionKernel out = *pair.second;
  out.loop.node.body = block(body, loc);
  return out;
}

ExprPtr FusedLoops::factor(const FusedPair& pair, size_t sum, const ExprPtr& from, const ExprPtr& to) {
  return substituted(pair.factors[sum], {{pair.rise.from, from}, {pair.rise.to, to}});
}

std::optional<FusedLoops::Again> FusedLoops::workedOutAgain(const ReductionKernel& loop) {
  std::vector<PlacedElement> placed;
  std::vector<std::pair<VarPtr, ExprPtr>> values;
  Again out{loop, {}};
  for (const Dropped& one : dropped) {
    const KeptElement& element = one.until.element;
    if (loop.loop.index <= one.by->loop.index || loop.loop.index > one.until.in ||
        !element.loops.contains(loop.loop.index))
      continue;
    auto var = std::make_shared<Variable>();
    var->name = one.stored->name;
    var->type = one.value->type;
    placed.push_back({&element, ref(VarPtr(var))});
    values.emplace_back(var, substituted(one.value, {{counterOf(*one.by), ref(counterOf(loop))}}));
    out.reads.push_back({RowWork::By::Dealt, one.by->loop.index, one.reads});
  }
  if (placed.empty()) return std::nullopt;
  StmtPtr body = withElementsAt(loop.loop, placed);
  for (auto one = values.rbegin(); one != values.rend(); ++one) {
    const auto& [var, value] = *one;
    if (countMentions(body, var.get()) == 1 && !assignedVariables(body).contains(var.get())) {
      body = substituted(body, {{var, value}});
      continue;
    }
    StmtList stmts{makeStmt(Declare{var, value}, loop.loop.loop->loc)};
    for (const StmtPtr& s : stmtsOf(body)) stmts.push_back(s);
    body = block(stmts, body->loc);
  }
  if (loop.loop.outer) body = substituted(body, {{loop.loop.outer, ref(loop.loop.count.var)}});
  out.loop.loop.node.body = body;
  return out;
}

}  // namespace hone::passes
