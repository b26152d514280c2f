// 1. Look for a loop that stores one element a round, c * round + rest, and nothing else to that array; and for reads inside of it whose address is
//    c * s + rest with 0 <= s < round: they read what round s stored.
// 2. Make the loop one of a number of rounds, counted from zero, and those inside that s counts with; s is then a number once all are unrolled.
// 3. Store into an array of the thread's own too, and read that.
#include "passes/KeepWritten.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "affine/Implied.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Intrinsics.h"
#include "passes/AliasGuard.h"
#include "passes/HostValue.h"
#include "passes/LoopEdit.h"
#include "passes/Names.h"
#include "passes/Parameters.h"
#include "passes/PlanEdit.h"

namespace hone::passes {

using namespace ir;
using affine::AtomId;
using affine::Poly;

namespace {

constexpr int64_t kMostKeptRounds = 64;

// The number a with p == a * q.
std::optional<int64_t> ratio(const Poly& p, const Poly& q) {
  if (p.isZero()) return 0;
  const auto& [monomial, factor] = *q.terms().begin();
  const auto found = p.terms().find(monomial);
  if (found == p.terms().end() || found->second % factor != 0) return std::nullopt;
  const int64_t a = found->second / factor;
  return p == Poly(a) * q ? std::optional(a) : std::nullopt;
}

struct Keeping {
  int loop = -1, write = -1;
  std::vector<std::pair<int, Poly>> reads;  // and the round that stored what they read
  std::vector<int> inner;                   // loops inside whose rounds s counts with, outermost first
  ExprPtr condition;
};

class KeepDecider {
 public:
  KeepDecider(const LaunchStep& of, const affine::KernelModel& kernel, const PassContext& with, int64_t count)
      : launch(of), model(kernel), context(with), rounds(count) {}

  std::optional<Keeping> decide(int loop, int write) {
    Keeping k;
    k.loop = loop, k.write = write;
    if (!findReads(k)) return std::nullopt;
    if (!checkLoop(loop, true) || !checkOthers(k)) return std::nullopt;
    // As many rounds as were asked for.
    const Poly last = loopAt(loop).runs->value;
    const int64_t step = -*last.coefficient(loopAt(loop).counter).constant();
    if (!require(k, {last.without(loopAt(loop).counter), (rounds - 1) * step, rounds * step - 1, "", {}}))
      return refuse(fmt::format("what {} relies on cannot be tested before the launch", loopAt(loop).handle));
    std::set<unsigned> needs;
    for (int a : accessesOf(k)) {
      needs.insert(accessAt(a).requirements.begin(), accessAt(a).requirements.end());
      needs.insert(accessAt(a).guardRequirements.begin(), accessAt(a).guardRequirements.end());
    }
    for (unsigned r : needs)
      if (!require(k, model.requirements[r]))
        return refuse(
            fmt::format("what {} relies on cannot be tested before the launch", loopAt(loop).handle));
    return k;
  }
  const std::string& why() const { return words; }

 private:
  const LaunchStep& launch;
  const affine::KernelModel& model;
  const PassContext& context;
  int64_t rounds;
  std::string words;

  const affine::Loop& loopAt(int l) const { return model.loops[static_cast<size_t>(l)]; }
  const affine::Access& accessAt(int a) const { return model.accesses[static_cast<size_t>(a)]; }
  std::nullopt_t refuse(std::string reason) {
    words = std::move(reason);
    return std::nullopt;
  }
  bool refused(std::string reason) {
    words = std::move(reason);
    return false;
  }
  static std::vector<int> accessesOf(const Keeping& k) {
    std::vector<int> all{k.write};
    for (const auto& read : k.reads) all.push_back(read.first);
    return all;
  }
  bool require(Keeping& k, const affine::Requirement& requirement) const {
    const ExprPtr holds = hostRequirement(launch, model, requirement);
    if (holds && !isTrue(holds)) k.condition = andAlso(k.condition, holds);
    return holds != nullptr;
  }

  static bool isPlain(const affine::Access& a) {
    if (a.atomic || !a.isResolved() || a.whole != a.place || !as<Subscript>(a.place)) return false;
    const auto own = accesses(*a.stmt);
    return std::none_of(own.begin(), own.end(),
                        [&](const ir::Access& x) { return x.through && x.place == a.place; });
  }

  // A loop that counts, whose head does nothing else, from a begin that stays as it is while it runs.
  bool checkLoop(int l, bool isOuter) {
    const affine::Loop& loop = loopAt(l);
    const auto* node = as<For>(loop.stmt);
    const auto count = node ? counted(*node) : std::nullopt;
    if (!count || !count->declares || count->op != BinaryOp::Add || !constantValue(count->step) ||
        node->init.size() != 1 || node->step.size() != 1 || loop.byDistance || !loop.values.empty() ||
        !loop.runs || loop.runs->kind != affine::CondKind::AtLeast0)
      return refused(fmt::format("{} is no loop that counts upwards", loop.handle));
    const auto each = loop.runs->value.coefficient(loop.counter).constant();
    if (!each || *each >= 0 || (!isOuter && *each != -1))
      return refused(fmt::format("{} is no loop that counts upwards", loop.handle));
    const Exits exits = exitsOf(node->body);
    if (isOuter && (exits.breaks || exits.continues || exits.returns))
      return refused(fmt::format("rounds of {} may end before their end", loop.handle));
    const auto changed = assignedVariables(node->body);
    const auto names = variablesOf(count->begin);
    if (!accesses(count->begin).empty() ||
        std::any_of(names.begin(), names.end(), [&](const Variable* v) { return changed.contains(v); }))
      return refused(fmt::format("where {} begins may change while it runs", loop.handle));
    return true;
  }

  bool findReads(Keeping& k) {
    const affine::Access& w = accessAt(k.write);
    const affine::Loop& loop = loopAt(k.loop);
    const auto* assigned = as<Assign>(w.stmt);
    const auto* body = as<Block>(bodyOf(*loop.stmt));
    if (w.mode != AccessMode::Write || !isPlain(w) || model.arrays[static_cast<size_t>(w.array)].isVolatile ||
        w.loops.back() != k.loop || !assigned || assigned->op || !body ||
        std::find(body->stmts.begin(), body->stmts.end(), w.stmt) == body->stmts.end())
      return false;
    const Poly each = w.address.coefficient(loop.counter), rest = w.address.without(loop.counter);
    if (each.isZero() || w.address != each * Poly::atom(loop.counter) + rest) return false;
    for (size_t i = 0; i < model.accesses.size(); ++i) {
      const affine::Access& r = model.accesses[i];
      const auto inside = std::find(r.loops.begin(), r.loops.end(), k.loop);
      if (r.array != w.array || inside == r.loops.end() || r.mode != AccessMode::Read || !isPlain(r) ||
          r.bytes != w.bytes || !sameType(r.whole->type, w.whole->type))
        continue;
      Poly left = r.address - rest, s;
      bool isKnown = true;
      for (auto l = inside; l != r.loops.end() && isKnown; ++l) {
        const Poly counter = Poly::atom(loopAt(*l).counter);
        const auto a = ratio(left.coefficient(loopAt(*l).counter), each);
        isKnown = a.has_value();
        if (a) left -= Poly(*a) * each * counter, s += Poly(*a) * counter;
      }
      const auto b = isKnown ? ratio(left, each) : std::nullopt;
      if (!b) continue;
      s += Poly(*b);
      if (!holds(r, s) || !holds(r, Poly::atom(loop.counter) - Poly(1) - s)) continue;
      std::vector<int> counting;
      bool canUnroll = true;
      for (auto l = inside + 1; l != r.loops.end(); ++l)
        if (s.mentions(loopAt(*l).counter)) {
          canUnroll &= checkInner(k.loop, counting, *l);
          counting.push_back(*l);
        }
      if (!canUnroll) continue;
      k.reads.emplace_back(static_cast<int>(i), s);
      for (int l : counting)
        if (std::find(k.inner.begin(), k.inner.end(), l) == k.inner.end()) k.inner.push_back(l);
    }
    if (k.reads.empty() && words.empty())
      words =
          fmt::format("nothing in {} reads back what {} stored in an earlier round", loop.handle, w.handle);
    return !k.reads.empty();
  }

  // Its number of rounds is a number once the loops around it are unrolled.
  bool checkInner(int outer, const std::vector<int>& between, int l) {
    if (!checkLoop(l, false)) return false;
    for (AtomId id : loopAt(l).runs->value.without(loopAt(l).counter).atoms()) {
      bool isCounted = id == loopAt(outer).counter;
      for (int b : between) isCounted |= id == loopAt(b).counter;
      if (!isCounted)
        return refused(fmt::format("the rounds of {} are no number when {} is unrolled", loopAt(l).handle,
                                   loopAt(outer).handle));
    }
    return true;
  }

  // Whether a value is never negative where the access happens.
  bool holds(const affine::Access& a, const Poly& value) const {
    if (model.atoms->range(value).low >= 0) return true;
    std::vector<affine::CondPtr> known = affine::conjuncts(a.guard);
    for (int l : a.loops)
      for (const affine::CondPtr& part : affine::conjuncts(loopAt(l).runs)) known.push_back(part);
    return affine::makesSure(*model.atoms, known, value);
  }

  // Nobody else stores to these elements while the loop runs.
  bool checkOthers(Keeping& k) {
    const affine::Access& w = accessAt(k.write);
    const std::string& name = model.arrays[static_cast<size_t>(w.array)].name;
    const affine::Loop& loop = loopAt(k.loop);
    bool waits = false;
    walkStmts(loop.stmt, [&](const Stmt& s) { waits |= s.is<Barrier>() || s.is<Fence>(); });
    walkExprs(loop.stmt, [&](const Expr& e) {
      const auto* call = e.as<Call>();
      waits |= call && call->intrinsic &&
               (call->intrinsic->cls == IntrinsicClass::BarrierVote ||
                call->intrinsic->cls == IntrinsicClass::Exchange);
    });
    if (waits) return refused(fmt::format("threads wait for each other in {}", loop.handle));
    AliasGuard guard(launch, model, context);
    for (size_t i = 0; i < model.accesses.size(); ++i) {
      const affine::Access& a = model.accesses[i];
      if (static_cast<int>(i) == k.write ||
          std::find(a.loops.begin(), a.loops.end(), k.loop) == a.loops.end() ||
          (!a.writes() && !a.atomic && a.mode != AccessMode::Address))
        continue;
      if (a.array < 0 || a.array == w.array || a.mode == AccessMode::Address)
        return refused(fmt::format("{} may store to {} too", a.handle, name));
      if (!guard.separate(w.array, a.array)) return refused(guard.reason());
    }
    if (guard.condition() && !isTrue(guard.condition()))
      k.condition = andAlso(k.condition, guard.condition());
    return true;
  }
};

class KeepingRewriter : public Rewriter {
 public:
  KeepingRewriter(const affine::KernelModel& kernel, const Keeping& keeping, Names& names, VarPtr array,
                  const ExprPtr& count)
      : model(kernel), k(keeping), kept(std::move(array)) {
    auto counts = [&](int l, const std::string& name) {
      const affine::Loop& loop = model.loops[static_cast<size_t>(l)];
      indices[loop.counter] = makeLocal(names, name, int32());
      loops[loop.stmt.get()] = l;
    };
    counts(k.loop, "round");
    for (int l : k.inner) counts(l, "earlier");
    rounds[k.loop] = count;
    for (int l : k.inner) {
      const affine::Loop& loop = model.loops[static_cast<size_t>(l)];
      rounds[l] = number(loop.runs->value.without(loop.counter) + Poly(1));
    }
  }
  using Rewriter::rewrite;

  StmtList rewrite(const StmtPtr& s) override {
    const StmtPtr before = std::exchange(current, s);
    StmtList out;
    const affine::Access& w = model.accesses[static_cast<size_t>(k.write)];
    if (const auto found = loops.find(s.get()); found != loops.end()) {
      out = {counting(*as<For>(s), found->second, s->loc)};
    } else if (s == w.stmt) {
      const auto* stored = as<Assign>(s);
      const ExprPtr slot = element(Poly::atom(model.loops[static_cast<size_t>(k.loop)].counter));
      out = {assign(slot, rewrite(stored->value), s->loc), assign(rewrite(stored->place), slot, s->loc)};
    } else {
      out = Rewriter::rewrite(s);
    }
    current = before;
    return out;
  }
  ExprPtr rewrite(const ExprPtr& e) override {
    for (const auto& [access, slot] : k.reads) {
      const affine::Access& r = model.accesses[static_cast<size_t>(access)];
      if (e == r.place && current == r.stmt) return element(slot);
    }
    return Rewriter::rewrite(e);
  }

 private:
  const affine::KernelModel& model;
  const Keeping& k;
  VarPtr kept;
  StmtPtr current;
  std::map<AtomId, VarPtr> indices;
  std::map<const Stmt*, int> loops;
  std::map<int, ExprPtr> rounds;

  // A sum of rounds.
  ExprPtr number(const Poly& p) const {
    ExprPtr sum = intLit(0);
    for (const auto& [monomial, factor] : p.terms()) {
      if (monomial.empty()) continue;
      const ExprPtr one = times(intLit(factor < 0 ? -factor : factor), ref(indices.at(monomial.front())));
      sum = factor < 0 ? minus(sum, one) : plus(sum, one);
    }
    const int64_t rest = p.constantPart();
    return rest < 0 ? minus(sum, intLit(-rest)) : plus(sum, intLit(rest));
  }
  ExprPtr element(const Poly& slot) const { return subscript(ref(kept), {number(slot)}); }

  StmtPtr counting(const For& loop, int l, const SourceLoc& loc) {
    const Counted count = *counted(loop);
    const VarPtr index = indices.at(model.loops[static_cast<size_t>(l)].counter);
    StmtList body{makeStmt(
        Declare{count.var, convert(plus(count.begin, times(count.step, ref(index))), count.var->type)},
        loop.init[0]->loc)};
    const StmtPtr inside = rewriteBlock(loop.body);
    for (const StmtPtr& s : as<Block>(inside)->stmts) body.push_back(s);
    return makeStmt(For{{makeStmt(Declare{index, intLit(0)})},
                        binary(BinaryOp::Lt, ref(index), rounds.at(l)),
                        {makeStmt(Assign{ref(index), BinaryOp::Add, intLit(1), true})},
                        block(body),
                        -1},
                    loc);
  }
};

bool mayBeGlobal(const affine::Array& array) {
  return array.space == Space::Global || array.space == Space::Generic;
}

// Loads of later rounds may only be made early where compilers know that no store in between changes them: pointers become restrict where a test
// before the launch can tell that all arrays lie apart. Null: no such test can be written.
ExprPtr tellApart(Kernel& kernel, const LaunchStep& launch, const affine::KernelModel& model,
                  const PassContext& context) {
  AliasGuard guard(launch, model, context);
  std::vector<bool> isWritten(model.arrays.size(), false);
  for (const affine::Access& a : model.accesses) {
    if (a.array < 0) return nullptr;
    if (a.writes() || a.atomic || a.mode == AccessMode::Address)
      isWritten[static_cast<size_t>(a.array)] = true;
  }
  Renaming renaming;
  for (size_t i = 0; i < model.arrays.size(); ++i) {
    const affine::Array& array = model.arrays[i];
    if (!mayBeGlobal(array)) continue;
    const bool isParameter =
        std::find(kernel.params.begin(), kernel.params.end(), array.var) != kernel.params.end();
    if (!isParameter || !array.var->type->isPointer()) return nullptr;
    for (size_t j = 0; j < i; ++j)
      if (mayBeGlobal(model.arrays[j]) && (isWritten[i] || isWritten[j]) &&
          !guard.separate(static_cast<int>(j), static_cast<int>(i)))
        return nullptr;
    auto type = std::make_shared<Type>(*array.var->type);
    type->isRestrict = true;
    auto var = std::make_shared<Variable>(*array.var);
    var->type = type;
    renaming.by[array.var.get()] = var;
  }
  for (VarPtr& param : kernel.params)
    if (const auto found = renaming.by.find(param.get()); found != renaming.by.end()) param = found->second;
  kernel.body = renaming.rewriteBlock(kernel.body);
  return guard.condition() ? guard.condition() : boolLit(true);
}

}  // namespace

LaunchResult keepWritten(const LaunchStep& original, const PassCall& call, PassContext& context) {
  LaunchResult result{original, nullptr, {}};
  LaunchStep& launch = *result.launch;
  const std::vector<std::string> names = positional(call);
  const std::string wanted = argument(call, "loop").value_or("");
  const int64_t rounds = number(call, "rounds", 2).value_or(32);
  if (rounds > kMostKeptRounds)
    return refuse(fmt::format("{} rounds are too many to unroll", rounds), original);
  const std::array<unsigned, 3> block = fixedBlock(original).value_or(context.block);
  launch.kernel = withDistinctStatements(original.kernel);
  if (const KernelPtr& inlined = context.facts.of(launch.kernel, block).model().kernel;
      inlined->body != launch.kernel->body)
    launch.kernel = withDistinctStatements(inlined);
  const affine::KernelModel& model = context.facts.of(launch.kernel, block).model();
  std::string reason;
  SourceLoc where;
  for (size_t i = 0; i < model.accesses.size(); ++i) {
    const affine::Access& a = model.accesses[i];
    if (!a.writes() || a.loops.empty() || !model.isGlobal(a) || a.array < 0) continue;
    const std::string& name = model.arrays[static_cast<size_t>(a.array)].name;
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
    const int l = a.loops.back();
    const affine::Loop& loop = model.loops[static_cast<size_t>(l)];
    if (!wanted.empty() && loop.handle != wanted) continue;
    KeepDecider decider(launch, model, context, rounds);
    const auto found = decider.decide(l, static_cast<int>(i));
    if (!found) {
      if (reason.empty() && !decider.why().empty()) reason = decider.why(), where = a.loc;
      continue;
    }
    auto kernel = std::make_shared<Kernel>(*launch.kernel);
    Names fresh(*kernel);
    const ExprPtr count = ir::named(
        rounds, addConstant(*kernel, "kRounds", rounds, "rounds of the loop whose stores are kept"));
    auto type = std::make_shared<Type>(*arrayType(a.whole->type, rounds));
    type->extentName = as<IntLiteral>(count)->name;
    const VarPtr kept = makeLocal(fresh, name.substr(name.find_last_of('.') + 1) + "_kept", type);
    KeepingRewriter rewriter(model, *found, fresh, kept, count);
    const StmtPtr stmt = loop.stmt;
    StmtList made{
        makeStmt(Comment{fmt::format("What rounds store to {} is read back by later ones: kept in registers.",
                                     name)},
                 stmt->loc),
        makeStmt(Declare{kept, nullptr}, stmt->loc)};
    for (const StmtPtr& s : rewriter.rewrite(stmt)) made.push_back(s);
    kernel->body = replaceStmt(launch.kernel->body, stmt, made);
    kernel->story.push_back(fmt::format(
        "What it stores to {} and reads back is kept in registers; the loop has {} rounds.", name, rounds));
    result.remarks.push_back(
        {RemarkKind::Done, stmt->loc, kernel->name,
         fmt::format(
             "what {} stores to {} and reads back in later rounds is kept in registers; before the launch "
             "it is tested that it has {} rounds",
             loop.handle, name, rounds)});
    const ExprPtr apart = tellApart(*kernel, launch, model, context);
    launch.kernel = kernel;
    result.condition = found->condition;
    if (apart && !isTrue(apart)) result.condition = andAlso(result.condition, apart);
    return result;
  }
  if (reason.empty()) reason = "no loop reads back what it stored in earlier rounds";
  return refuse(reason, original, where);
}

}  // namespace hone::passes
