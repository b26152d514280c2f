#include "passes/registers/DecideForwarding.h"

#include <fmt/core.h>

#include <algorithm>

#include "affine/DigitSums.h"
#include "affine/Implied.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/KnownBeforeLoop.h"
#include "passes/edit/LoopEdit.h"
#include "passes/host/AliasGuard.h"
#include "passes/host/HostConditions.h"
#include "passes/registers/MustAccess.h"

namespace hone::passes {

using namespace ir;
using affine::AtomId;
using affine::Poly;

namespace {

constexpr int64_t kMostForwardedIterations = 64;

// The number a with p == a * q.
std::optional<int64_t> ratio(const Poly& p, const Poly& q) {
  if (p.isZero()) return 0;
  const auto& [monomial, factor] = *q.terms().begin();
  const auto found = p.terms().find(monomial);
  if (found == p.terms().end() || found->second % factor != 0) return std::nullopt;
  const int64_t a = found->second / factor;
  return p == Poly(a) * q ? std::optional(a) : std::nullopt;
}

class ForwardDecider {
 public:
  ForwardDecider(const LaunchStep& of, const affine::KernelModel& kernel, const PassContext& with,
                 const ForwardRequest& asked)
      : launch(of), model(kernel), context(with), request(asked), apart(of, kernel, with) {}

  Result<std::optional<Forwarding>> decide() {
    const affine::LoopId loop = request.loop;
    Forwarding k;
    k.loop = loop, k.write = request.write;
    const Result<bool> isStore = findReads(k);
    if (!isStore) return isStore.refusal();
    if (!*isStore) return std::nullopt;
    if (request.iterations > kMostForwardedIterations)
      return Refusal{fmt::format("{} iterations are too many to unroll", request.iterations)};
    if (Obstacle no = checkLoop(loop, true)) return *no;
    if (Obstacle no = checkOthers(k)) return *no;
    // As many iterations as were asked for.
    if (const auto known = affine::iterationsOf(loopAt(loop)); known && *known != request.iterations)
      return Refusal{fmt::format("{} has {} iterations", loopAt(loop).handle, *known)};
    const Poly last = loopAt(loop).runs->value;
    const int64_t step = -*last.coefficient(loopAt(loop).counter).constant();
    if (!require(k, {last.without(loopAt(loop).counter),
                     (request.iterations - 1) * step,
                     request.iterations * step - 1,
                     "",
                     {}}))
      return Refusal{
          fmt::format("what {} relies on cannot be tested before the launch", loopAt(loop).handle)};
    k.isTested = k.condition != nullptr;
    if (!storesApart(k))
      return Refusal{fmt::format("iterations of {} may store to one element", loopAt(loop).handle)};
    std::set<unsigned> needs;
    for (affine::AccessId a : accessesOf(k)) {
      needs.insert(accessAt(a).requirements.begin(), accessAt(a).requirements.end());
      needs.insert(accessAt(a).guardRequirements.begin(), accessAt(a).guardRequirements.end());
    }
    for (unsigned r : needs)
      if (!require(k, model.requirements[r]))
        return Refusal{
            fmt::format("what {} relies on cannot be tested before the launch", loopAt(loop).handle)};
    if (request.pushes)
      if (Obstacle no = findPush(k)) return *no;
    if (request.loadsAhead) findLoadsAhead(k);
    if (apart.condition() && !isTrue(apart.condition()))
      k.condition = andAlso(k.condition, apart.condition());
    return k;
  }

 private:
  const LaunchStep& launch;
  const affine::KernelModel& model;
  const PassContext& context;
  ForwardRequest request;
  AliasGuard apart;

  const affine::Loop& loopAt(affine::LoopId l) const { return model.loops[l]; }
  const affine::Access& accessAt(affine::AccessId a) const { return model.accesses[a]; }
  static std::vector<affine::AccessId> accessesOf(const Forwarding& k) {
    std::vector<affine::AccessId> all{k.write};
    for (const auto& read : k.reads) all.push_back(read.first);
    return all;
  }
  bool require(Forwarding& k, const affine::Requirement& requirement) const {
    const ExprPtr holds = hostRequirement(launch, model, requirement);
    if (holds && !isTrue(holds)) k.condition = andAlso(k.condition, holds);
    return holds && !isFalse(holds);
  }

  static bool isPlain(const affine::Access& a) {
    return !a.atomic && a.isResolved() && a.whole == a.place && as<Subscript>(a.place) && standsInText(a);
  }

  // A loop that counts, whose head does nothing else, from a begin that stays as it is while it runs.
  Obstacle checkLoop(affine::LoopId l, bool isOuter) const {
    const affine::Loop& loop = loopAt(l);
    const auto* node = as<For>(loop.stmt);
    const auto count = node ? counted(*node) : std::nullopt;
    if (!count || !count->declares || count->op != BinaryOp::Add || !constantValue(count->step) ||
        node->init.size() != 1 || node->step.size() != 1 || loop.byDistance || !loop.values.empty() ||
        !loop.runs || loop.runs->kind != affine::CondKind::AtLeast0)
      return Refusal{fmt::format("{} is no loop that counts upwards", loop.handle)};
    const auto each = loop.runs->value.coefficient(loop.counter).constant();
    if (!each || *each >= 0 || (!isOuter && *each != -1))
      return Refusal{fmt::format("{} is no loop that counts upwards", loop.handle)};
    const Exits exits = exitsOf(node->body);
    if (isOuter && (exits.breaks || exits.continues || exits.returns))
      return Refusal{fmt::format("iterations of {} may end before their end", loop.handle)};
    const auto changed = assignedVariables(node->body);
    const auto names = variablesOf(count->begin);
    if (!accesses(count->begin).empty() ||
        std::any_of(names.begin(), names.end(), [&](const Variable* v) { return changed.contains(v); }))
      return Refusal{fmt::format("where {} begins may change while it runs", loop.handle)};
    return std::nullopt;
  }

  // False: the store is none that another iteration could read back.
  Result<bool> findReads(Forwarding& k) const {
    Obstacle last;
    const affine::Access& w = accessAt(k.write);
    const affine::Loop& loop = loopAt(k.loop);
    const auto* assigned = as<Assign>(w.stmt);
    const auto* body = as<Block>(bodyOf(*loop.stmt));
    if (w.mode != AccessMode::Write || !isPlain(w) || model.arrays[w.array].isVolatile ||
        w.loops.back() != k.loop || !assigned || assigned->op || !body ||
        std::find(body->stmts.begin(), body->stmts.end(), w.stmt) == body->stmts.end())
      return false;
    const Poly each = w.address.coefficient(loop.counter), rest = w.address.without(loop.counter);
    if (each.isZero() || w.address != each * Poly::atom(loop.counter) + rest) return false;
    for (const affine::AccessId i : model.accesses.ids()) {
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
      std::vector<affine::LoopId> counting;
      Obstacle here;
      for (auto l = inside + 1; l != r.loops.end(); ++l)
        if (s.mentions(loopAt(*l).counter)) {
          if (Obstacle no = checkInner(k.loop, counting, *l)) here = no;
          counting.push_back(*l);
        }
      if (here) {
        last = here;
        continue;
      }
      k.reads.emplace_back(i, s);
      for (affine::LoopId l : counting)
        if (std::find(k.inner.begin(), k.inner.end(), l) == k.inner.end()) k.inner.push_back(l);
    }
    if (!k.reads.empty()) return true;
    if (last) return *last;
    return Refusal{fmt::format("nothing in {} reads back what {} stored in an earlier iteration", loop.handle,
                               w.handle)};
  }

  // Its number of iterations is a number once the loops around it are unrolled.
  Obstacle checkInner(affine::LoopId outer, const std::vector<affine::LoopId>& between,
                      affine::LoopId l) const {
    if (Obstacle no = checkLoop(l, false)) return no;
    for (AtomId id : loopAt(l).runs->value.without(loopAt(l).counter).atoms()) {
      bool isCounted = id == loopAt(outer).counter;
      for (affine::LoopId b : between) isCounted |= id == loopAt(b).counter;
      if (!isCounted)
        return Refusal{fmt::format("the iterations of {} are no number when {} is unrolled", loopAt(l).handle,
                                   loopAt(outer).handle)};
    }
    return std::nullopt;
  }

  // Whether a value is never negative where the access happens.
  bool holds(const affine::Access& a, const Poly& value) const {
    if (model.atoms->range(value).low >= 0) return true;
    std::vector<affine::CondPtr> known = affine::conjuncts(a.guard);
    for (affine::LoopId l : a.loops)
      for (const affine::CondPtr& part : affine::conjuncts(loopAt(l).runs)) known.push_back(part);
    return affine::makesSure(*model.atoms, known, value);
  }

  // What iterations store lies in different elements: the distance between two is not zero.
  bool storesApart(Forwarding& k) const {
    const Poly each = accessAt(k.write).address.coefficient(loopAt(k.loop).counter);
    if (each.constant()) return true;
    const Poly distance = each.dividedExactly(each.content());
    if (holds(accessAt(k.write), distance - Poly(1)) || holds(accessAt(k.write), -distance - Poly(1)))
      return true;
    return require(k, {distance, 1, INT64_MAX, "", {}});
  }

  // Nobody else stores to these elements while the loop runs.
  Obstacle checkOthers(Forwarding& k) {
    const affine::Access& w = accessAt(k.write);
    const std::string& name = model.arrays[w.array].name;
    const affine::Loop& loop = loopAt(k.loop);
    bool waits = false;
    walkStmts(loop.stmt, [&](const Stmt& s) { waits |= s.is<Barrier>() || s.is<Fence>(); });
    walkExprs(loop.stmt, [&](const Expr& e) {
      const auto* call = e.as<Call>();
      waits |= call && call->intrinsic &&
               (call->intrinsic->cls == IntrinsicClass::BarrierVote ||
                call->intrinsic->cls == IntrinsicClass::Exchange);
    });
    if (waits) return Refusal{fmt::format("threads wait for each other in {}", loop.handle)};
    for (const affine::AccessId i : model.accesses.ids()) {
      const affine::Access& a = model.accesses[i];
      if (i == k.write || std::find(a.loops.begin(), a.loops.end(), k.loop) == a.loops.end() ||
          (!a.writes() && !a.atomic && a.mode != AccessMode::Address))
        continue;
      if (a.array.isNone() || a.array == w.array || a.mode == AccessMode::Address)
        return Refusal{fmt::format("{} may store to {} too", a.handle, name)};
      if (Obstacle no = apart.requireApart(w.array, a.array)) return no;
    }
    return std::nullopt;
  }

  // The sum over earlier iterations, all of whose reads find in those iterations what they find in their own.
  Obstacle findPush(Forwarding& k) {
    Result<PushedSum> push = findPushedSum(model, {k.loop, k.reads, k.inner});
    if (!push) return push.refusal();
    k.push = *std::move(push);
    const affine::ArrayId array = accessAt(k.write).array;
    for (const affine::AccessId i : model.accesses.ids()) {
      const affine::Access& r = model.accesses[i];
      const bool isSummed = std::find(r.loops.begin(), r.loops.end(), k.inner.front()) != r.loops.end();
      if ((r.stmt != k.push->start && !isSummed) || isKept(k, i)) continue;
      Obstacle no;
      if (r.array.isNone())
        no = Refusal{r.reason};
      else if (model.arrays[r.array].isVolatile || (r.array == array && !isPlain(r)))
        no = Refusal{"it is no plain load"};
      else
        no = storedBefore(k, r);
      if (no)
        return Refusal{fmt::format("{} cannot be read in an earlier iteration: {}", r.handle, no->reason)};
    }
    return std::nullopt;
  }

  // What each iteration loads once and whatever happens, from where no earlier one stores.
  void findLoadsAhead(Forwarding& k) {
    const affine::Loop& loop = loopAt(k.loop);
    const KnownBeforeLoop known(*model.kernel, *as<For>(loop.stmt));
    int64_t left = context.target.registersPerThread / 2;
    for (const affine::AccessId i : model.accesses.ids()) {
      const affine::Access& r = model.accesses[i];
      if (r.mode != AccessMode::Read || r.loops.empty() || r.loops.back() != k.loop || r.array.isNone() ||
          !model.isGlobal(r) || !r.address.mentions(loop.counter) || isKept(k, i))
        continue;
      if (k.push && r.stmt == k.push->start) continue;  // loaded where the sum begins
      // What a block has in common is for stage.
      if (model.atoms->variation(r.address).isUniform()) continue;
      const auto same = std::find_if(k.ahead.begin(), k.ahead.end(), [&](const LoadAhead& other) {
        const affine::Access& first = accessAt(other.reads.front());
        return first.array == r.array && first.address == r.address &&
               sameType(first.whole->type, r.whole->type);
      });
      ExprPtr place;
      Obstacle no;
      const int64_t registers = request.iterations * std::max<int64_t>(1, r.bytes / 4);
      if (!isPlain(r) || model.arrays[r.array].isVolatile)
        no = Refusal{"it is no plain load"};
      else if (!known.isEachIteration(r))
        no = Refusal{"not every iteration loads it"};
      else if (place = known.before(r); !place)
        no = Refusal{"where it lies is worked out in the iterations"};
      else if (same == k.ahead.end() && registers > left)
        no = Refusal{fmt::format("{} more registers of {} are too many", registers,
                                 context.target.registersPerThread)};
      else
        no = storedBefore(k, r);
      if (no) {
        k.late.push_back(fmt::format("{} is loaded in its iteration: {}", r.handle, no->reason));
      } else if (same != k.ahead.end()) {
        same->reads.push_back(i);
      } else {
        k.ahead.push_back({{i}, place});
        left -= registers;
      }
    }
  }

  static bool isKept(const Forwarding& k, affine::AccessId access) {
    return std::any_of(k.reads.begin(), k.reads.end(),
                       [&](const auto& read) { return read.first == access; });
  }

  // How an earlier iteration may store to what a read of a later one finds there.
  Obstacle storedBefore(const Forwarding& k, const affine::Access& r) {
    const affine::Access& w = accessAt(k.write);
    const affine::Loop& loop = loopAt(k.loop);
    for (const affine::Access& a : model.accesses) {
      if (std::find(a.loops.begin(), a.loops.end(), k.loop) == a.loops.end() || (!a.writes() && !a.atomic))
        continue;
      if (a.array != r.array) {
        if (Obstacle no = apart.requireApart(a.array, r.array)) return no;
        continue;
      }
      // The one store of the array: this iteration's own, or a later one's.
      const Poly each = w.address.coefficient(loop.counter);
      const auto later = ratio(r.address - w.address, each);
      if (&a != &w || !later || *later < 0 || r.bytes != w.bytes)
        return Refusal{fmt::format("an earlier one may store to {}", a.handle)};
    }
    return std::nullopt;
  }
};

}  // namespace

Result<std::optional<Forwarding>> decideForwarding(const LaunchStep& launch, const affine::KernelModel& model,
                                                   const PassContext& context,
                                                   const ForwardRequest& request) {
  return ForwardDecider(launch, model, context, request).decide();
}

}  // namespace hone::passes
