#include "passes/reduce/AsOneThread.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/reduce/SumUpdates.h"

namespace hone::passes {

using namespace ir;

class AsOneThread::OneThreadExprs : public Rewriter {
 public:
  explicit OneThreadExprs(AsOneThread& itsOwner) : owner(itsOwner) {}

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    const auto* var = ir::as<VarRef>(e);
    if (const ExprPtr known = var ? owner.knownNumber(var->var, e) : nullptr) return known;
    if (const auto* all = owner.numbers.find(e); all && dependsOnThread(e, *all)) {
      const ExprPtr first = owner.numbers.ofFirst(*all, e->type);
      if (first) return first;
      if (e->is<Coord>() || e->is<Call>())
        refuse("what the first threads of its groups know is no sum of the group's number", e->loc);
    }
    if (const VarPtr own = owner.cellOf(e)) return ref(own, e->loc);
    return Rewriter::rewrite(e);
  }
  StmtList rewrite(const StmtPtr& s) override { return Rewriter::rewrite(s); }

 private:
  AsOneThread& owner;

  bool dependsOnThread(const ExprPtr& e, const std::vector<int64_t>& all) const {
    if (!owner.numbers.areOne(all)) return true;
    bool asks = false;
    walkExprs(e, [&](const Expr& x) {
      const auto* at = x.as<Coord>();
      asks = asks || (at && at->kind == CoordKind::ThreadIdx) || x.is<Call>();
    });
    return asks;
  }
};

ExprPtr AsOneThread::rewritten(const ExprPtr& e) {
  const ExprPtr now = OneThreadExprs(*this).rewrite(e);
  return now == e ? e : simplified(now);
}

ExprPtr AsOneThread::knownNumber(const VarPtr& var, const ExprPtr& e) {
  const auto declared = of.declaredWith.find(var.get());
  if (declared == of.declaredWith.end() || var->isConstexpr) return nullptr;
  const auto* all = numbers.find(e);
  if (!all) return nullptr;
  const bool isLiteral = numbers.areOne(*all) && withoutCasts(declared->second)->is<IntLiteral>();
  return isLiteral ? convert(declared->second, var->type) : numbers.ofFirst(*all, var->type);
}

VarPtr AsOneThread::cellOf(const ExprPtr& place) {
  const auto* element = as<Subscript>(place);
  const auto* root = as<VarRef>(element ? element->base : place);
  if (!root || root->var->space != Space::Shared) return nullptr;
  std::vector<int64_t> at;
  for (const ExprPtr& index : element ? element->indices : std::vector<ExprPtr>{})
    if (const auto number = constantValue(index)) at.push_back(*number);
  const bool isValue = !place->type->is(TypeKind::Array) && !root->var->isVolatile &&
                       at.size() == (element ? element->indices.size() : 0);
  if (!isValue || root->var->isDynamicShared || lanes < of.threads)
    refuse(fmt::format("{} keeps more than single values for the threads of a block", root->var->name),
           place->loc);
  for (const Cell& cell : cells)
    if (cell.array == root->var.get() && cell.at == at) return cell.own;
  cells.push_back(
      {root->var.get(), at, makeLocal(names, root->var->name + (element ? "_one" : ""), place->type)});
  return cells.back().own;
}

Result<StmtPtr> AsOneThread::write(const StmtPtr& body) {
  return refusing([&]() -> Result<StmtPtr> {
    const StmtPtr made = blockOf(body, By::All);
    StmtList all;
    for (const Cell& cell : cells) all.push_back(makeStmt(Declare{cell.own, nullptr}, body->loc));
    for (const StmtPtr& s : as<Block>(made)->stmts) all.push_back(s);
    return block(all, body->loc);
  });
}

StmtPtr AsOneThread::blockOf(const StmtPtr& s, By by) {
  if (!s) return nullptr;
  StmtList out;
  for (const StmtPtr& one : as<Block>(s)->stmts) {
    const StmtList made = statement(one, by);
    // What is said about a statement goes with it.
    const bool isGone = made.empty() || (made.size() == 1 && made.front()->is<Block>() &&
                                         as<Block>(made.front())->stmts.empty());
    while (isGone && !out.empty() && out.back()->is<Comment>()) out.pop_back();
    if (!isGone) out.insert(out.end(), made.begin(), made.end());
  }
  return block(out, s->loc);
}

HeldValue AsOneThread::used(const ExprPtr& e, By by) {
  const HeldValue value = values.find(e);
  if (value.is(Held::Same) || (by == By::First && value.is(Held::First))) return value;
  if (value.is(Held::First))
    refuse("what threads of a block do differs by more than their share of a loop", e->loc);
  std::string name = "a value";
  walkExprs(e, [&](const Expr& x) {
    const auto* var = x.as<VarRef>();
    if (var && !values.find(*var->var).is(Held::Same) && !values.find(*var->var).is(Held::First))
      name = var->var->name;
  });
  refuse(fmt::format("{} is used where each thread has one of its own", name), e->loc);
}

bool AsOneThread::isEffect(const ExprPtr& e) {
  const auto* node = as<Call>(e);
  return node && !isPure(*node);
}

StmtList AsOneThread::statement(const StmtPtr& s, By by) {
  if (const auto at = marks.find(s.get()); at != marks.end()) {
    if (by != By::All) refuse(unexpected("tree that the first thread alone comes to", s->loc));
    return mark(s, at->second);
  }
  if (s->is<Block>()) return {blockOf(s, by)};
  if (s->is<Comment>()) return {s};
  if (const auto* d = as<Declare>(s)) return declare(*d, s, by);
  if (const auto* a = as<Assign>(s)) return assignment(*a, s, by);
  if (const auto* alone = as<Eval>(s)) return call(alone->call, s, by);
  if (const auto* node = as<If>(s)) return choice(*node, s, by);
  if (isLoop(*s)) {
    const auto* counting = as<For>(s);
    if (by == By::All && counting)
      if (auto made = shared(*counting, s)) return *std::move(made);
    return loop(s, by);
  }
  const auto* barrier = as<Barrier>(s);
  if (barrier && by == By::All && (barrier->scope == SyncScope::Block || barrier->scope == SyncScope::Warp))
    return {};
  // Out of a loop that the same thread has begun, or on to the next of the iterations that it shares.
  if ((s->is<Break>() || s->is<Continue>()) && by != By::All && !around.empty() && around.back() == by)
    return {s};
  if (by == By::First && (s->is<Printf>() || s->is<Assert>())) {
    StmtPtr made = s;
    forEachExpr(*s, [&](const ExprPtr& e) { (void)used(e, by); });
    return OneThreadExprs(*this).rewrite(made);
  }
  refuse("its threads do what one of them could not do for all", s->loc);
}

void AsOneThread::set(const VarPtr& var, const HeldValue& value, By by) {
  values.states[var.get()] = by == By::First ? HeldValue{Held::First} : value;
}

StmtList AsOneThread::declare(const Declare& d, const StmtPtr& s, By by) {
  if (d.var->space == Space::Shared || d.var->type->is(TypeKind::Handle)) return {};
  if (!d.init) {
    set(d.var, {}, By::All);
    return {s};
  }
  if (isEffect(d.init)) {
    const StmtList made = call(d.init, s, by);
    set(d.var, {}, by);
    return made;
  }
  if (knownNumber(d.var, ref(d.var))) return {};
  const HeldValue value = values.find(d.init);
  if (by == By::First) (void)used(d.init, by);
  if (by == By::Share && !value.is(Held::Same)) (void)used(d.init, by);
  set(d.var, value, by);
  if (value.is(Held::Lost)) return {};
  std::vector<int64_t> sum(of.threads);
  if (value.is(Held::First) && d.var->type->isInteger() && !of.changed.contains(d.var.get()) &&
      addUp(d.init, sum))
    offsets[d.var.get()] = sum;
  return {makeStmt(Declare{d.var, rewritten(d.init)}, s->loc)};
}

StmtList AsOneThread::mark(const StmtPtr& s, const TreeTotal& total) {
  const auto* d = as<Declare>(s);
  const auto* a = as<Assign>(s);
  const VarPtr var = d ? d->var : rootVariable(a->place);
  if (!mayBePart(values.find(total.input), total.how)) {
    const VarPtr root = rootVariable(withoutCasts(total.input));
    refuse(fmt::format("{} is not what a loop has left to each thread as its part of the {}",
                       root ? root->name : "what is put together", str(total.how)),
           s->loc);
  }
  set(var, {}, By::All);
  if (a) return {};
  return {makeStmt(Declare{d->var, rewritten(d->init)}, s->loc)};
}

StmtList AsOneThread::assignment(const Assign& a, const StmtPtr& s, By by) {
  const VarPtr root = rootVariable(a.place);
  const bool isOwn = root && root->space == Space::Private && root->storage != Storage::Global &&
                     storageOf(*a.place) == root.get();
  if (isEffect(a.value)) {
    if (!isOwn || a.op || !a.place->is<VarRef>())
      refuse("its threads do what one of them could not do for all", s->loc);
    const StmtList made = call(a.value, s, by);
    set(root, {}, by);
    return made;
  }
  if (!isOwn) return store(a, s, by);
  HeldValue value = values.find(a.value);
  if (by != By::All) (void)used(a.value, by);
  if (a.op || !a.place->is<VarRef>()) {
    // What it held before, and where in it.
    const HeldValue before = a.place->is<VarRef>() ? values.find(*root) : values.find(a.place);
    const Held held = std::max(before.held, value.held);
    value = {held == Held::Part || held == Held::Lost ? Held::Lost : held};
    if (by == By::First && value.is(Held::Lost)) (void)used(a.place, by);
  }
  set(root, value, by);
  if (value.is(Held::Lost)) return {};
  Assign copy = a;
  if (!a.place->is<VarRef>()) copy.place = rewritten(a.place);
  copy.value = rewritten(a.value);
  return {makeStmt(copy, s->loc)};
}

StmtList AsOneThread::store(const Assign& a, const StmtPtr& s, By by) {
  const VarPtr root = rootVariable(a.place);
  const bool isShared = root && root->space == Space::Shared;
  if (by != By::First && a.op && (by == By::All || isShared))
    refuse("all threads of a block change the same memory", s->loc);
  if (isVolatile(*a.place)) refuse("its threads do what one of them could not do for all", s->loc);
  if (by == By::Share && isShared)
    refuse(fmt::format("{} keeps more than single values for the threads of a block", root->name), s->loc);
  (void)used(a.value, by);
  Assign copy = a;
  copy.place = rewritten(a.place);
  copy.value = rewritten(a.value);
  if (!isShared) (void)used(a.place, by);
  return {makeStmt(copy, s->loc)};
}

StmtList AsOneThread::call(const ExprPtr& e, const StmtPtr& s, By by) {
  const auto& node = *as<Call>(e);
  if (node.intrinsic && node.intrinsic->id == "group_sync" && by == By::All) return {};
  if (!isPure(node)) {
    const bool isStore = node.intrinsic && node.intrinsic->cls == IntrinsicClass::Store;
    const bool isAtomic = node.intrinsic && node.intrinsic->cls == IntrinsicClass::Atomic;
    const bool isOwn = node.function && !node.function->synchronizes && !node.function->usesCoords;
    if (by == By::All || !(isStore || (by == By::First && (isAtomic || isOwn))))
      refuse("its threads do what one of them could not do for all", s->loc);
  }
  for (const ExprPtr& arg : node.args) (void)used(arg, by);
  return OneThreadExprs(*this).rewrite(s);
}

StmtList AsOneThread::choice(const If& node, const StmtPtr& s, By by) {
  const HeldValue cond = values.find(node.cond);
  const bool isFirst =
      by == By::All && !cond.is(Held::Same) && !node.otherwise && numbers.isFirstAlone(node.cond);
  const By inside = isFirst ? By::First : by;
  (void)used(node.cond, inside);
  const ExprPtr test = rewritten(node.cond);
  const HeldValues::States before = values.states;
  const StmtPtr then = blockOf(node.then, inside);
  HeldValues::States after = values.states;
  values.states = before;
  const StmtPtr otherwise = blockOf(node.otherwise, inside);
  values.states = HeldValues::either(after, values.states);
  return {makeStmt(If{test, then, otherwise}, s->loc)};
}

StmtList AsOneThread::loop(const StmtPtr& s, By by) {
  // Until no iteration changes what is known when one begins.
  const size_t known = dealt.size();
  around.push_back(by);
  const auto* counting = as<For>(s);
  StmtList init;
  if (counting)
    for (const StmtPtr& one : counting->init)
      for (const StmtPtr& made : statement(one, by)) init.push_back(made);
  for (unsigned round = 0; round < 16; ++round) {
    const HeldValues::States before = values.states;
    dealt.resize(known);
    StmtList made = onceThrough(s, by);
    const HeldValues::States after = HeldValues::either(before, values.states);
    values.states = after;
    if (after != before) continue;
    around.pop_back();
    if (counting) {
      For copy = *as<For>(made.front());
      copy.init = init;
      made = {makeStmt(copy, s->loc)};
    }
    return made;
  }
  refuse(unexpected("loop whose values do not settle", s->loc));
}

StmtList AsOneThread::onceThrough(const StmtPtr& s, By by) {
  auto tested = [&](const ExprPtr& cond) -> ExprPtr {
    if (!cond) return nullptr;
    (void)used(cond, by);
    return rewritten(cond);
  };
  if (const auto* node = as<For>(s)) {
    For copy = *node;
    copy.cond = tested(node->cond);
    copy.body = blockOf(node->body, by);
    copy.step.clear();
    for (const StmtPtr& one : node->step)
      for (const StmtPtr& made : statement(one, by)) copy.step.push_back(made);
    return {makeStmt(copy, s->loc)};
  }
  if (const auto* node = as<While>(s)) {
    const ExprPtr cond = tested(node->cond);
    return {makeStmt(While{cond, blockOf(node->body, by), node->unroll}, s->loc)};
  }
  const auto& node = *as<DoWhile>(s);
  const StmtPtr body = blockOf(node.body, by);
  return {makeStmt(DoWhile{body, tested(node.cond), node.unroll}, s->loc)};
}

bool AsOneThread::addUp(const ExprPtr& e, std::vector<int64_t>& sum) {
  auto add = [&](const std::vector<int64_t>& more) {
    for (unsigned t = 0; t < of.threads; ++t) sum[t] += more[t];
    return true;
  };
  if (const auto* all = numbers.find(e)) return add(*all);
  if (values.find(e).is(Held::Same)) return true;
  if (const auto* var = as<VarRef>(e)) {
    const auto at = offsets.find(var->var.get());
    return at != offsets.end() && add(at->second);
  }
  if (const auto* cast = as<Cast>(e)) return withoutIdCasts(e) != e && addUp(cast->operand, sum);
  const auto* node = as<Binary>(e);
  return node && node->op == BinaryOp::Add && addUp(node->lhs, sum) && addUp(node->rhs, sum);
}

std::map<VarPtr, Combine> AsOneThread::sumsIn(const StmtPtr& body) const {
  std::map<VarPtr, Combine> out;
  const auto declared = declaredVariables(body);
  std::set<const Stmt*> inside;
  auto add = [&](const VarPtr& var, const std::optional<SumUpdate>& update, const SourceLoc& loc) {
    const auto at = update ? out.emplace(var, update->how).first : out.end();
    if (!update || at->second != update->how)
      refuse(fmt::format("{} is carried from one iteration of a shared loop to the next", var->name), loc);
  };
  walkStmts(body, [&](const Stmt& s) {
    if (inside.contains(&s)) return;
    if (const auto* node = s.as<If>()) {
      const auto* then = as<Block>(node->then);
      const auto* only = then && then->stmts.size() == 1 ? as<Assign>(then->stmts.front()) : nullptr;
      const VarPtr var = only && only->place->is<VarRef>() ? rootVariable(only->place) : nullptr;
      const auto update = var && !declared.contains(var.get()) ? updateBy(*node, var.get()) : std::nullopt;
      if (!update) return;
      inside.insert(then->stmts.front().get());
      add(var, update, s.loc);
      return;
    }
    const auto* a = s.as<Assign>();
    const VarPtr var = a ? rootVariable(a->place) : nullptr;
    if (!var || storageOf(*a->place) != var.get() || var->space != Space::Private ||
        var->storage == Storage::Global || declared.contains(var.get()))
      return;
    add(var, a->place->is<VarRef>() ? updateBy(*a, var.get()) : std::nullopt, s.loc);
  });
  return out;
}

std::optional<StmtList> AsOneThread::shared(const For& node, const StmtPtr& s) {
  const auto count = counted(node, &of.taken);
  if (!count || !count->begin || node.init.size() != 1 || node.step.size() != 1) return std::nullopt;
  if (values.find(count->begin).is(Held::Same)) return std::nullopt;
  const Refusal no{"iterations of a loop are not dealt out to the threads of a block one by one", s->loc};
  std::vector<int64_t> begins(of.threads);
  if (!addUp(count->begin, begins)) refuse(no);
  const auto each = numbers.stepOf(begins);
  const auto* steps = numbers.find(count->step);
  const bool rises =
      count->op == BinaryOp::Add && (count->compare == BinaryOp::Lt || count->compare == BinaryOp::Le);
  if (!each || *each < 1 || !steps || !numbers.areOne(*steps) || !rises || steps->front() != *each * lanes)
    refuse(no);
  (void)used(count->end, By::All);

  const std::map<VarPtr, Combine> sums = sumsIn(node.body);
  for (const auto& [var, how] : sums)
    if (!mayBePart(values.find(*var), how))
      refuse(
          fmt::format("each thread begins its part of the {} with what {} held before", str(how), var->name),
          s->loc);
  const HeldValues::States before = values.states;
  set(count->var, {}, By::All);
  for (const auto& [var, how] : sums) set(var, {}, By::All);
  For copy = node;
  copy.cond = rewritten(node.cond);
  around.push_back(By::Share);
  copy.body = blockOf(node.body, By::Share);
  around.pop_back();
  ExprPtr begin = rewritten(count->begin);
  // There and back again between integers that all hold it.
  if (const ExprPtr core = withoutIdCasts(begin); sameType(core->type, count->var->type)) begin = core;
  copy.init = {count->declares ? makeStmt(Declare{count->var, begin}, node.init.front()->loc)
                               : assign(ref(count->var), begin, node.init.front()->loc)};
  copy.step = {
      makeStmt(Assign{ref(count->var), BinaryOp::Add,
                      intLit(HONE_SEED(UntreeStepTooLong, *each, *each + 1), count->var->type), *each == 1},
               node.step.front()->loc)};
  values.states = before;
  values.states[count->var.get()] = {Held::Lost};
  DealtLoop made;
  for (const auto& [var, how] : sums) {
    values.states[var.get()] = {Held::Part, how};
    made.sums.emplace_back(var, how);
  }
  made.loop = makeStmt(copy, s->loc);
  walkStmts(copy.body, [&](const Stmt& one) {
    for (const ir::Access& a : accesses(one)) {
      const Variable* storage = storageOf(*a.place);
      const bool isOwn = storage && storage->space == Space::Private && storage->storage != Storage::Global;
      made.stores = made.stores || (a.mode != AccessMode::Read && a.mode != AccessMode::Address && !isOwn);
    }
  });
  dealt.push_back(made);
  return StmtList{made.loop};
}

}  // namespace hone::passes
