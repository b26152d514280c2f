// 1. Look for a loop that stores one element an iteration, c * iteration + rest, and nothing else to that
// array; and for reads inside of it whose address is
//    c * s + rest with 0 <= s < iteration: they read what iteration s stored.
// 2. Make the loop one of a number of iterations, counted from zero, and those inside that s counts with; s
// is then a number once all are unrolled.
// 3. Store into an array of the thread's own too, and read that.
//    Where sums are pushed: add it to the sums of all later iterations, which begin in a loop before the
//    first.
// 4. Load what iterations read from elsewhere into arrays of the thread's own, in a loop before the first:
// all are under way at once.
#include "passes/registers/ForwardStores.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "affine/DigitSums.h"
#include "ir/Build.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/edit/Say.h"
#include "passes/host/AliasGuard.h"
#include "passes/host/Candidate.h"
#include "passes/host/PlanEdit.h"
#include "passes/registers/DecideForwarding.h"

namespace hone::passes {

using namespace ir;
using affine::AtomId;
using affine::Poly;

namespace {

constexpr int64_t kUsualIterations = 32;

class ForwardingRewriter : public Rewriter {
 public:
  ForwardingRewriter(const affine::KernelModel& kernel, const Forwarding& keeping, Names& fresh,
                     const ExprPtr& count)
      : model(kernel), k(keeping), names(fresh) {
    auto counts = [&](affine::LoopId l, const std::string& name) {
      const affine::Loop& loop = model.loops[l];
      indices[loop.counter] = makeLocal(names, name, int32());
      loops[loop.stmt.get()] = l;
    };
    counts(k.loop, "iteration");
    for (affine::LoopId l : k.inner) counts(l, "earlier");
    iterations[k.loop] = count;
    if (k.push) {
      const TypePtr& type = model.accesses[k.write].whole->type;
      kept = makeLocal(names, nameOf(k.write) + "_kept", type, true);
      sums = row(k.push->sum->type, k.push->sum->name + "_of");
      later = makeLocal(names, "later", int32());
    } else {
      kept = rowFor(k.write, "_kept");
    }
    for (const LoadAhead& load : k.ahead) ahead.push_back(rowFor(load.reads.front(), "_ahead"));
    for (affine::LoopId l : k.inner) {
      const affine::Loop& loop = model.loops[l];
      iterations[l] = number(loop.runs->value.without(loop.counter) + Poly(1));
    }
  }
  using Rewriter::rewrite;

  // What stands in the place of the loop.
  StmtList made() {
    const StmtPtr& loop = model.loops[k.loop].stmt;
    StmtList out{
        say(k.push ? fmt::format(
                         "What an iteration stores to {} is taken by the sums of all later ones at once.",
                         arrayOf(k.write))
                   : fmt::format("What iterations store to {} is read back by later ones: kept in registers.",
                                 arrayOf(k.write))),
        makeStmt(Declare{k.push ? sums : kept, nullptr}, loop->loc)};
    if (!k.ahead.empty())
      out.push_back(
          say(fmt::format("What each iteration reads of {} is loaded before the first.", loadedArrays())));
    for (const VarPtr& row : ahead) out.push_back(makeStmt(Declare{row, nullptr}, loop->loc));
    if (k.push || !k.ahead.empty()) out.push_back(loading(*as<For>(loop), loop->loc));
    for (const StmtPtr& s : rewrite(loop)) out.push_back(s);
    return out;
  }
  // "b", "b and c"
  std::string loadedArrays() const {
    std::vector<std::string> each;
    for (const LoadAhead& load : k.ahead)
      if (const std::string name = arrayOf(load.reads.front());
          std::find(each.begin(), each.end(), name) == each.end())
        each.push_back(name);
    std::string text;
    for (const std::string& name : each) text += (text.empty() ? "" : " and ") + name;
    return text;
  }

  StmtList rewrite(const StmtPtr& s) override {
    const StmtPtr before = std::exchange(current, s);
    StmtList out;
    const affine::Access& w = model.accesses[k.write];
    if (k.push && s == k.push->start) {
      const ExprPtr begun = element(sums, ofIteration());
      out = {as<Declare>(s) ? makeStmt(Declare{k.push->sum, begun}, s->loc)
                            : assign(ref(k.push->sum), begun, s->loc)};
    } else if (k.push && s == k.push->loop) {
      // Done in the iterations that it counts.
    } else if (k.push && s == w.stmt) {
      const auto* stored = as<Assign>(s);
      out = {makeStmt(Declare{kept, rewrite(stored->value)}, s->loc),
             assign(rewrite(stored->place), ref(kept), s->loc), pushing()};
    } else if (const auto found = loops.find(s.get()); found != loops.end()) {
      out = {counting(*as<For>(s), found->second, s->loc)};
    } else if (s == w.stmt) {
      const auto* stored = as<Assign>(s);
      const ExprPtr slot = element(kept, ofIteration());
      out = {assign(slot, rewrite(stored->value), s->loc), assign(rewrite(stored->place), slot, s->loc)};
    } else {
      out = Rewriter::rewrite(s);
    }
    current = before;
    return out;
  }
  ExprPtr rewrite(const ExprPtr& e) override {
    for (const auto& [access, slot] : k.reads) {
      const affine::Access& r = model.accesses[access];
      if (e == r.place && current == r.stmt) return k.push ? ref(kept) : element(kept, slot);
    }
    for (size_t i = 0; i < k.ahead.size(); ++i)
      for (affine::AccessId access : k.ahead[i].reads) {
        const affine::Access& r = model.accesses[access];
        if (e == r.place && current == r.stmt) return element(ahead[i], ofIteration());
      }
    return Rewriter::rewrite(e);
  }

 private:
  const affine::KernelModel& model;
  const Forwarding& k;
  Names& names;
  VarPtr kept;         // an element for each iteration; of pushed sums what this one stores
  VarPtr sums, later;  // where sums are pushed
  std::vector<VarPtr> ahead;
  StmtPtr current;
  std::map<AtomId, VarPtr> indices;
  std::map<const Stmt*, affine::LoopId> loops;
  std::map<affine::LoopId, ExprPtr> iterations;

  // A sum of iterations.
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
  Poly ofIteration() const { return Poly::atom(model.loops[k.loop].counter); }
  ExprPtr element(const VarPtr& row, const Poly& slot) const { return subscript(ref(row), {number(slot)}); }
  const std::string& arrayOf(affine::AccessId access) const {
    const affine::ArrayId array = model.accesses[access].array;
    return model.arrays[array].name;
  }
  std::string nameOf(affine::AccessId access) const {
    const std::string& name = arrayOf(access);
    return name.substr(name.find_last_of('.') + 1);
  }
  // An array with an element for each iteration.
  VarPtr row(const TypePtr& element, const std::string& name) {
    const ExprPtr& count = iterations.at(k.loop);
    return makeLocal(names, name, arrayOver(element, count));
  }
  VarPtr rowFor(affine::AccessId access, const char* ending) {
    return row(model.accesses[access].whole->type, nameOf(access) + ending);
  }

  StmtPtr counting(const For& loop, affine::LoopId l, const SourceLoc& loc) {
    const StmtPtr inside = rewriteBlock(loop.body);
    return unrolled(loop, l, counted(loop)->var, as<Block>(inside)->stmts, loc);
  }
  StmtPtr loading(const For& loop, const SourceLoc& loc) {
    const VarPtr var = counted(loop)->var, copy = std::make_shared<Variable>(*var);
    const VarPtr index = indices.at(model.loops[k.loop].counter);
    StmtList body;
    if (k.push)
      body.push_back(assign(subscript(ref(sums), {ref(index)}),
                            convert(substituted(k.push->begin, {{var, ref(copy)}}), k.push->sum->type), loc));
    for (size_t i = 0; i < k.ahead.size(); ++i)
      body.push_back(assign(subscript(ref(ahead[i]), {ref(index)}),
                            substituted(k.ahead[i].place, {{var, ref(copy)}}), loc));
    // A variable of its own, of the same name.
    return freshCopy(unrolled(loop, k.loop, copy, body, loc));
  }
  // What this iteration adds to the sums of later ones.
  StmtPtr pushing() {
    const affine::Loop& outer = model.loops[k.loop];
    const Counted ofIterations = *counted(*as<For>(outer.stmt));
    const auto& inner = *as<For>(k.push->loop);
    const Counted ofEarlier = *counted(inner);
    const VarPtr iteration = indices.at(outer.counter);
    const VarPtr var = makeLocal(names, ofIterations.var->name + "_later", ofIterations.var->type);
    auto valueOf = [](const Counted& count, const ExprPtr& begin, const VarPtr& index) {
      return convert(plus(begin, times(count.step, ref(index))), count.var->type);
    };
    StmtList body{
        makeStmt(Declare{ofEarlier.var, valueOf(ofEarlier, k.push->from, iteration)}, inner.init[0]->loc)};
    const StmtPtr summed = rewriteBlock(inner.body);
    for (const StmtPtr& s : as<Block>(summed)->stmts) body.push_back(s);
    // Variables of the iteration are those of a later one.
    const StmtPtr known = substituted(block(body), k.push->known);
    const StmtPtr added =
        substituted(known, {{ofIterations.var, ref(var)}, {k.push->sum, subscript(ref(sums), {ref(later)})}});
    StmtList each{
        makeStmt(Declare{var, valueOf(ofIterations, ofIterations.begin, later)}, inner.init[0]->loc)};
    for (const StmtPtr& s : as<Block>(added)->stmts) each.push_back(s);
    return countingLoop({.var = later,
                         .begin = plus(ref(iteration), intLit(1)),
                         .end = iterations.at(k.loop),
                         .body = block(each),
                         .unroll = -1},
                        k.push->loop->loc);
  }
  // The iterations of a loop, counted from zero, with the value that its variable has in each.
  StmtPtr unrolled(const For& loop, affine::LoopId l, const VarPtr& var, const StmtList& iteration,
                   const SourceLoc& loc) const {
    const Counted count = *counted(loop);
    const VarPtr index = indices.at(model.loops[l].counter);
    StmtList body{makeStmt(Declare{var, convert(plus(count.begin, times(count.step, ref(index))), var->type)},
                           loop.init[0]->loc)};
    body.insert(body.end(), iteration.begin(), iteration.end());
    return countingLoop({.var = index, .end = iterations.at(l), .body = block(body), .unroll = -1}, loc);
  }
};

const affine::KernelModel& modelOf(const LaunchStep& launch, PassContext& context) {
  return context.facts.of(launch.kernel, fixedBlock(launch).value_or(context.block)).model();
}

// The launch with the kernel that its model describes.
LaunchStep readied(LaunchStep launch, PassContext& context) {
  launch.kernel = withDistinctStatements(launch.kernel);
  if (const KernelPtr& inlined = modelOf(launch, context).kernel; inlined->body != launch.kernel->body)
    launch.kernel = withDistinctStatements(inlined);
  return launch;
}

// Stores in loops, with as many iterations as those have or might have.
std::vector<ForwardRequest> storesInLoops(const affine::KernelModel& model) {
  std::vector<ForwardRequest> all;
  for (const affine::AccessId i : model.accesses.ids()) {
    const affine::Access& a = model.accesses[i];
    if (!a.writes() || a.loops.empty() || !model.isGlobal(a) || a.array.isNone()) continue;
    ForwardRequest one{a.loops.back(), i};
    one.iterations = affine::iterationsOf(model.loops[one.loop]).value_or(kUsualIterations);
    all.push_back(one);
  }
  return all;
}

bool canForward(const LaunchStep& launch, PassContext& context, const ForwardRequest& request) {
  const auto found = decideForwarding(launch, modelOf(launch, context), context, request);
  return found && *found;
}
// Those of them that forward-stores takes, whatever is loaded ahead.
std::vector<ForwardRequest> storesToForward(const LaunchStep& launch, PassContext& context) {
  std::vector<ForwardRequest> all = storesInLoops(modelOf(launch, context));
  for (ForwardRequest& one : all) one.loadsAhead = false;
  std::erase_if(all, [&](const ForwardRequest& one) { return !canForward(launch, context, one); });
  return all;
}

bool mayBeGlobal(const affine::Array& array) {
  return array.space == Space::Global || array.space == Space::Generic;
}

// Loads of later iterations may only be made early where compilers know that no store in between changes
// them: pointers become restrict where a test before the launch can tell that all arrays lie apart. Null: no
// such test can be written.
ExprPtr tellApart(Kernel& kernel, const LaunchStep& launch, const affine::KernelModel& model,
                  const PassContext& context) {
  AliasGuard guard(launch, model, context);
  affine::ById<affine::ArrayId, bool> isWritten(model.arrays.size(), false);
  for (const affine::Access& a : model.accesses) {
    if (a.array.isNone()) return nullptr;
    if (a.writes() || a.atomic || a.mode == AccessMode::Address) isWritten[a.array] = true;
  }
  Renaming renaming;
  for (const affine::ArrayId i : model.arrays.ids()) {
    const affine::Array& array = model.arrays[i];
    if (!mayBeGlobal(array)) continue;
    const bool isParameter =
        std::find(kernel.params.begin(), kernel.params.end(), array.var) != kernel.params.end();
    if (!isParameter || !array.var->type->isPointer()) return nullptr;
    for (const affine::ArrayId j : model.arrays.idsBefore(i))
      if (mayBeGlobal(model.arrays[j]) && (isWritten[i] || isWritten[j]) && guard.requireApart(j, i))
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

std::vector<int64_t> iterationsToForward(const LaunchStep& original, PassContext& context) {
  const LaunchStep launch = readied(original, context);
  const affine::KernelModel& model = modelOf(launch, context);
  std::vector<int64_t> out;
  for (const ForwardRequest& one : storesToForward(launch, context)) {
    const bool isKnown = affine::iterationsOf(model.loops[one.loop]).has_value();
    const std::vector<int64_t> counts =
        isKnown ? std::vector{one.iterations} : std::vector<int64_t>{16, 32, 64};
    for (const int64_t value : counts)
      if (std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
  }
  return out;
}

std::vector<std::string> ordersToForward(const LaunchStep& original, PassContext& context) {
  const LaunchStep launch = readied(original, context);
  const std::vector<ForwardRequest> all = storesToForward(launch, context);
  if (all.empty()) return {};
  const bool canPush = std::any_of(all.begin(), all.end(), [&](ForwardRequest one) {
    one.pushes = true;
    return canForward(launch, context, one);
  });
  return canPush ? std::vector<std::string>{"pull", "push"} : std::vector<std::string>{"pull"};
}

LaunchResult forwardStores(const LaunchStep& original, const ForwardStoresOptions& options,
                           PassContext& context) {
  LaunchResult result{readied(original, context), nullptr, {}};
  LaunchStep& launch = *result.launch;
  const std::vector<std::string>& names = options.arrays;
  const std::string wanted = options.loop.value_or("");
  const auto asked = options.iterations;
  const bool loadsAhead = options.loads.value_or(ForwardLoads::Ahead) == ForwardLoads::Ahead;
  const bool pushes = options.order.value_or(ForwardOrder::Pull) == ForwardOrder::Push;
  const affine::KernelModel& model = modelOf(launch, context);
  Obstacle first;
  for (ForwardRequest request : storesInLoops(model)) {
    const affine::Access& a = model.accesses[request.write];
    const std::string& name = model.arrays[a.array].name;
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
    const affine::Loop& loop = model.loops[request.loop];
    if (!wanted.empty() && loop.handle != wanted) continue;
    request.loadsAhead = loadsAhead, request.pushes = pushes;
    if (asked) request.iterations = *asked;
    const int64_t iterations = request.iterations;
    const auto decided = decideForwarding(launch, model, context, request);
    if (!decided && !first) first = Refusal{decided.refusal().reason, a.loc};
    if (!decided || !*decided) continue;
    const std::optional<Forwarding>& found = *decided;
    auto kernel = std::make_shared<Kernel>(*launch.kernel);
    Names fresh(*kernel);
    const ExprPtr count = ir::named(iterations, addConstant(*kernel, {RoleKind::IterationCount}, iterations,
                                                            "iterations of the loop whose stores are kept"));
    ForwardingRewriter rewriter(model, *found, fresh, count);
    kernel->body = replaceStmt(launch.kernel->body, loop.stmt, rewriter.made());
    // Subscripts that only the loads used stand before the iterations now.
    kernel->body = withoutDeadCode(kernel->body, deadVariables(launch.kernel->body));
    kernel->story.push_back(fmt::format("What it stores to {} {}; the loop has {} iterations.", name,
                                        found->push ? "is added to the sums of later iterations at once"
                                                    : "and reads back is kept in registers",
                                        iterations));
    const std::string loaded = rewriter.loadedArrays();
    if (!loaded.empty())
      kernel->story.push_back(fmt::format("What iterations read of {} is loaded before them.", loaded));
    const std::string what =
        found->push
            ? fmt::format("what {} stores to {} is added to {} of later iterations at once", loop.handle,
                          name, found->push->sum->name)
            : fmt::format("what {} stores to {} and reads back in later iterations is kept in registers",
                          loop.handle, name);
    result.remarks.push_back(
        {RemarkKind::Done, loop.stmt->loc, kernel->name,
         what + (loaded.empty() ? "" : fmt::format("; loaded before the first: {}", loaded)) +
             (found->isTested
                  ? fmt::format("; before the launch it is tested that it has {} iterations", iterations)
                  : "")});
    for (const std::string& late : found->late)
      result.remarks.push_back({RemarkKind::Note, loop.stmt->loc, kernel->name, late});
    const ExprPtr apart = tellApart(*kernel, launch, model, context);
    launch.kernel = kernel;
    result.condition = found->condition;
    if (apart && !isTrue(apart)) result.condition = andAlso(result.condition, apart);
    return result;
  }
  return first ? *first : Refusal{"no loop reads back what it stored in earlier iterations"};
}

namespace {

std::vector<Recipe> proposeKeeping(const Candidate& candidate) {
  if (!candidate.hasLoops()) return {};
  const LaunchStep& launch = *candidate.launches.front();
  const std::vector<std::string> orders = ordersToForward(launch, candidate.context);
  const bool canPush = std::find(orders.begin(), orders.end(), "push") != orders.end();
  std::vector<Recipe> out;
  for (const int64_t iterations : iterationsToForward(launch, candidate.context)) {
    out.push_back({{forwardStoresPass()({.iterations = iterations})}});
    if (canPush)
      out.push_back({{forwardStoresPass()({.iterations = iterations, .order = ForwardOrder::Push})}});
  }
  return out;
}

}  // namespace

const PassOf<ForwardStoresOptions>& forwardStoresPass() {
  static const PassOf<ForwardStoresOptions> pass =
      PassOf<ForwardStoresOptions>(
          "forward-stores",
          "What a loop stores in one iteration and reads back in later ones is kept in "
          "registers, all its iterations unrolled.",
          forwardStores)
          .names(&ForwardStoresOptions::arrays, "<arrays>", ParameterKind::Arrays,
                 "what to keep; without any: the first that can be")
          .number(&ForwardStoresOptions::iterations, "iterations",
                  "of the loop, tested before the launch (default: as many as it has where that is a "
                  "number, else 32)",
                  valuesFrom(iterationsToForward), 2)
          .word(&ForwardStoresOptions::loads, "loads", {"ahead", "late"},
                "ahead (default): what each iteration reads of other elements is loaded before the first; "
                "late: in its iteration, which takes fewer registers",
                values({"ahead", "late"}))
          .word(&ForwardStoresOptions::order, "order", {"pull", "push"},
                "pull (default): an iteration sums up what earlier ones stored; push: it adds what it stores "
                "to "
                "the sums of all later ones, in the same order",
                valuesFrom(ordersToForward))
          .loop(&ForwardStoresOptions::loop, "loop", "only this loop")
          .with({.isForSizes = true, .hasSerialIterations = true})
          .proposes({Level::Prepare, 70, proposeKeeping});
  return pass;
}

}  // namespace hone::passes
