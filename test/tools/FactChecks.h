// What the analyses say about accesses of a run, against what the device counted and touched.
#pragma once

#include <functional>
#include <set>

#include "WatchedRun.h"
#include "target/Target.h"

namespace hone::test {

class FactChecks {
 public:
  // `differ` is told of each difference, with the access it concerns.
  using Differ = std::function<void(affine::AccessId access, const std::string& what)>;
  FactChecks(const WatchedRun& watched, const target::Target& machine, Differ tell)
      : ran(watched), target(machine), differ(std::move(tell)) {}

  // `predicted`: the requests of an access that the model is exact about, the same as the device's.
  void costs(affine::AccessId access, const Requests& predicted);
  // The bytes that some blocks touch, by each access of `exact` and by all of an array where all are exact,
  // and those that blocks side by side have in common. `symbolic`: also what is said of a block in general.
  void footprints(const affine::ById<affine::AccessId, bool>& exact, bool symbolic);

  unsigned sectors = 0, banks = 0, blocks = 0, shared = 0;  // answers compared
  unsigned perRequest = 0, perBlock = 0;  // of the answers without numbers, those that say exact

 private:
  void coalescing(affine::AccessId access, const Requests& predicted);
  void bankPasses(affine::AccessId access, const Requests& predicted);
  std::set<int64_t> touched(affine::AccessId access, uint64_t block) const;

  const WatchedRun& ran;
  const target::Target& target;
  Differ differ;
};

}  // namespace hone::test
