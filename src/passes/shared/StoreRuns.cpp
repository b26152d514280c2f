#include "passes/shared/StoreRuns.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>

#include "affine/DigitSums.h"

namespace hone::passes {

using namespace ir;
using affine::Access;
using affine::Atoms;
using affine::KernelModel;
using affine::Poly;

namespace {

constexpr int64_t kMostElements = 256;  // of a run

class RunFinder {
 public:
  RunFinder(const KernelModel& ofKernel, affine::ArrayId ofArray)
      : model(ofKernel), atoms(*ofKernel.atoms), array(ofArray), name(ofKernel.arrays[ofArray].name) {
    const std::vector<affine::AtomId> ids = atoms.thread(0).atoms();
    if (!ids.empty()) thread = ids.front();
  }

  StoreRun find() {
    for (const affine::AccessId i : model.accesses.ids())
      if (model.accesses[i].array == array && model.accesses[i].writes()) addStore(i);
    StoreRun run;
    const Access& first = at(stores.front());
    run.array = array;
    run.element = first.whole->type;
    run.guard = first.guard;
    run.length = *stride / bytes;
    if (*stride % bytes || run.length < 2)
      refuse(fmt::format("no thread writes several neighbouring elements of {}", name), first.loc);
    if (run.length > kMostElements)
      refuse(fmt::format("a thread writes more than {} elements of {}", kMostElements, name), first.loc);
    const Poly start = beginning(run.length);
    if (!start.isDivisible(bytes))
      refuse(fmt::format("elements of {} are not aligned to their size", name), first.loc);
    if (*stride <= 16 && (*stride & (*stride - 1)) == 0)
      refuse(fmt::format("what a thread writes to {} is one wide access: vectorize", name), first.loc);
    run.first = start.dividedExactly(bytes);
    for (const affine::AccessId store : stores) {
      const Poly slot = restOf(store) - start;
      run.stores.push_back({store, slot.dividedExactly(bytes)});
    }
    return run;
  }

  // Accesses that would come before the stores then, by array.
  void mayWait(std::vector<affine::ArrayId>& meanwhile) const {
    walkStmts(model.kernel->body, [&](const Stmt& s) {
      const auto* barrier = s.as<Barrier>();
      if (s.is<Fence>() ||
          (barrier && barrier->scope != SyncScope::Block && barrier->scope != SyncScope::Warp))
        refuse("other blocks may wait for what it writes", s.loc);
    });
    std::set<affine::LoopId> around;  // loops, whose later iterations follow the first store
    for (const affine::AccessId store : stores) around.insert(at(store).loops.begin(), at(store).loops.end());
    for (const affine::AccessId i : model.accesses.ids()) {
      const Access& other = model.accesses[i];
      if (other.atomic && model.isGlobal(other))
        refuse("other blocks may wait for what it writes", other.loc);
      const bool isLater =
          i > stores.front() || std::any_of(other.loops.begin(), other.loops.end(),
                                            [&](affine::LoopId loop) { return around.contains(loop); });
      if (!isLater || other.mode == AccessMode::Address ||
          std::find(stores.begin(), stores.end(), i) != stores.end())
        continue;
      if (other.array == array) refuse(fmt::format("{} is read after it is written", name), other.loc);
      if (!model.isGlobal(other)) continue;
      if (other.array.isNone()) refuse("memory that is not known is accessed: " + other.reason, other.loc);
      meanwhile.push_back(other.array);
    }
  }

 private:
  const Access& at(affine::AccessId access) const { return model.accesses[access]; }

  // The address with the thread's share left out: the same for all threads of the block.
  Poly restOf(affine::AccessId access) const { return at(access).address - Poly::atom(thread, *stride); }

  void addStore(affine::AccessId access) {
    const Access& store = at(access);
    const auto* assigned = store.stmt->as<Assign>();
    if (!assigned || assigned->op || assigned->place != store.whole || store.mode != AccessMode::Write ||
        store.atomic)
      refuse(fmt::format("{} is not only assigned to", name), store.loc);
    const auto* element = ir::as<Subscript>(store.place);
    if (element && element->base->type->isVolatile) refuse(fmt::format("{} is volatile", name), store.loc);
    if (store.exactness != affine::Exactness::Exact)
      refuse(fmt::format("where {} is written is not known: {}", name, store.reason), store.loc);
    const auto factor = store.address.coefficient(thread).constant();
    if (!factor || *factor <= 0 || !atoms.variation(store.address - Poly::atom(thread, *factor)).isUniform())
      refuse(fmt::format("neighbouring threads do not write neighbouring runs of {}", name), store.loc);
    if (stores.empty()) stride = *factor, bytes = store.bytes;
    const Access& first = stores.empty() ? store : at(stores.front());
    if (*factor != *stride || store.bytes != bytes || !sameType(store.whole->type, first.whole->type))
      refuse(fmt::format("stores to {} differ in size or distance", name), store.loc);
    if (!sameCond(store.guard, first.guard) || hasUnknown(store.guard) ||
        atoms.variation(store.guard).loops != 0)
      refuse(fmt::format("{} is written under different conditions", name), store.loc);
    for (const affine::LoopId loop : store.loops)
      if (!iterationsOf(model.loops[loop]) || model.loops[loop].exactness != affine::Exactness::Exact)
        refuse(fmt::format("{} is written in a loop whose iterations are no known number", name), store.loc);
    stores.push_back(access);
  }

  // Where the run of thread 0 begins, in bytes. Every element of a run is written once, which is what makes
  // it one.
  Poly beginning(int64_t length) const {
    const Poly anchor = valueIn(restOf(stores.front()), at(stores.front()), {});
    std::multiset<int64_t> distances;
    const SourceLoc& loc = at(stores.front()).loc;
    for (const affine::AccessId store : stores)
      forEachIteration(at(store), 0, {}, [&](const Atoms::Substitution& iteration) {
        const auto distance = (atoms.substitute(restOf(store), iteration) - anchor).constant();
        if (!distance)
          refuse(fmt::format("neighbouring threads do not write neighbouring runs of {}", name), loc);
        distances.insert(*distance);
        if (int64_t(distances.size()) > length)
          refuse(fmt::format("a thread writes some elements of {} more than once", name), loc);
      });
    int64_t next = *distances.begin();
    for (const int64_t one : distances) {
      if (one != next)
        refuse(fmt::format("threads leave out elements of {} between those that they write", name), loc);
      next += bytes;
    }
    if (int64_t(distances.size()) != length)
      refuse(fmt::format("threads leave out elements of {} between those that they write", name), loc);
    return anchor + *distances.begin();
  }

  Poly valueIn(const Poly& value, const Access& access, Atoms::Substitution iteration) const {
    for (const affine::LoopId loop : access.loops) iteration.emplace(model.loops[loop].counter, Poly(0));
    return atoms.substitute(value, iteration);
  }

  void forEachIteration(const Access& access, size_t depth, const Atoms::Substitution& iteration,
                        const std::function<void(const Atoms::Substitution&)>& fn) const {
    if (depth == access.loops.size()) return fn(iteration);
    const affine::Loop& loop = model.loops[access.loops[depth]];
    const int64_t iterations = *iterationsOf(loop);
    for (int64_t k = 0; k < iterations; ++k) {
      Atoms::Substitution inner = iteration;
      inner[loop.counter] = Poly(k);
      forEachIteration(access, depth + 1, inner, fn);
    }
  }

  const KernelModel& model;
  Atoms& atoms;
  affine::ArrayId array;
  std::string name;
  affine::AtomId thread = 0;
  std::optional<int64_t> stride;         // bytes from thread to thread
  int64_t bytes = 0;                     // of an element
  std::vector<affine::AccessId> stores;  // accesses, in order
};

}  // namespace

Result<StoreRun> storeRun(const KernelModel& model, affine::ArrayId array,
                          std::vector<affine::ArrayId>& meanwhile) {
  return refusing([&] {
    RunFinder finder(model, array);
    StoreRun run = finder.find();
    finder.mayWait(meanwhile);
    return run;
  });
}

}  // namespace hone::passes
