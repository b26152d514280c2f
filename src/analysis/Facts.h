// All facts of one version of a kernel, for one block shape and one target: each worked out when first asked
// for, then kept.
#pragma once

#include <memory>
#include <tuple>

#include "analysis/Aliasing.h"
#include "analysis/Barriers.h"
#include "analysis/Coalescing.h"
#include "analysis/ConflictRemedy.h"
#include "analysis/Resources.h"
#include "analysis/Sharing.h"
#include "analysis/Uniformity.h"

namespace hone::analysis {

class Facts {
 public:
  Facts(ir::KernelPtr kernel, const std::array<unsigned, 3>& block, const target::Target& target);

  const ir::KernelPtr& kernel() const { return original; }
  const target::Target& target() const { return machine; }
  const affine::KernelModel& model() const { return *built; }

  const Coalescing& coalescing(affine::AccessId access);
  const BankConflicts& bankConflicts(affine::AccessId access);
  const ConflictRemedy& conflictRemedy(affine::ArrayId array);
  const ConflictSwizzle& conflictSwizzle(affine::ArrayId array);
  const affine::Shape& shape(affine::ArrayId array);
  // Of all accesses of an array that move data, or of those that read or write it alone.
  enum class Which : uint8_t { All, Reads, Writes };
  const Footprint& footprint(affine::ArrayId array, Which which = Which::All, FootprintOf of = {});
  std::vector<affine::AccessId> accessesOf(affine::ArrayId array, Which which = Which::All) const;
  const Shared& sharing(affine::ArrayId array, Which which, SharingOf of);
  const Shared& reuse(affine::ArrayId array, Which which, affine::LoopId loop, Scope scope);
  LaunchBytes& launchBytes() { return bytes; }
  const KernelUniformity& uniformity();
  const BarrierFacts& barriers();
  const std::vector<Dependence>& dependences(Between between);
  // Asked once, with the oracle of the first call.
  const Resources& resources(uint64_t dynamicShared, const RegisterOracle& registers);

 private:
  ir::KernelPtr original;
  target::Target machine;
  std::unique_ptr<affine::KernelModel> built;
  PerThread lanes;  // shared by the questions about warps
  LaunchBytes bytes;
  std::map<affine::AccessId, Coalescing> coalescings;
  std::map<affine::AccessId, BankConflicts> conflicts;
  std::map<affine::ArrayId, ConflictRemedy> remedies;
  std::map<affine::ArrayId, ConflictSwizzle> swizzles;
  std::map<affine::ArrayId, affine::Shape> shapes;
  std::map<std::tuple<affine::ArrayId, Which, Scope, affine::LoopId>, Footprint> footprints;
  std::map<std::tuple<affine::ArrayId, Which, Scope, unsigned, affine::LoopId>, Shared> shared;
  std::map<std::tuple<affine::ArrayId, Which, Scope, affine::LoopId>, Shared> reused;
  std::optional<KernelUniformity> uniform;
  std::optional<BarrierFacts> barrierFacts;
  std::map<Between, std::vector<Dependence>> dependent;
  std::optional<Resources> needs;
};

// Facts by kernel and block shape. A pass makes new kernels, so entries never grow stale; the least recently
// used go.
class FactsCache {
 public:
  explicit FactsCache(target::Target target, size_t most = 64)
      : machine(std::move(target)), mostEntries(most) {}
  Facts& of(const ir::KernelPtr& kernel, const std::array<unsigned, 3>& block);
  // Those that a model belongs to; null: none of these.
  Facts* find(const affine::KernelModel& model) const;
  // What `ready` makes of a kernel before anything is asked about it: the same each time, so that facts about
  // it are found again. All callers hand in one `ready`.
  ir::KernelPtr readied(const ir::KernelPtr& kernel, ir::KernelPtr (*ready)(const ir::KernelPtr&));

 private:
  struct Entry {
    std::unique_ptr<Facts> facts;
    uint64_t lastUse = 0;
  };
  target::Target machine;
  size_t mostEntries;
  uint64_t clock = 0;
  std::map<std::pair<const ir::Kernel*, std::array<unsigned, 3>>, Entry>
      entries;  // a Facts keeps its kernel alive
  std::map<ir::KernelPtr, ir::KernelPtr> readyKernels;
};

}  // namespace hone::analysis
