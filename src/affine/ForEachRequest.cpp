#include <bit>

#include "affine/Implied.h"
#include "affine/LaneProgram.h"

namespace hone::affine {
namespace {

// One access of a launch, warp by warp.
class RequestWalk {
 public:
  RequestWalk(const KernelModel& model, const Access& which, const Launch& launch, uint64_t most,
              const std::function<void(const WarpRequest&)>& receiver)
      : shape(model.block),
        program(*model.atoms, launch, countersOf(model, which)),
        limit(most),
        fn(receiver) {
    for (const LoopId index : which.loops) {
      const Loop& loop = model.loops[index];
      Nest nest{&loop, program.addCond(loop.runs), loop.byDistance ? program.add(loop.step) : 0};
      nests.push_back(nest);
    }
    parts.resize(nests.size() + 1);
    for (const CondPtr& part : conjuncts(which.guard)) {
      const unsigned number = program.addCond(part);
      parts[program.levelOfCond(number)].push_back(number);
    }
    address = program.add(which.address);
    for (const unsigned index : which.requirements) {
      const Requirement& r = model.requirements[index];
      requirements.push_back({program.add(r.value), r.low, r.high});
    }
    // A guard that does not hold may do so because what it relies on does not.
    early.resize(nests.size() + 1);
    for (const unsigned index : which.guardRequirements) {
      const Requirement& r = model.requirements[index];
      const unsigned number = program.add(r.value);
      early[program.levelOf(number)].push_back({number, r.low, r.high});
    }
  }

  bool block(const std::array<int64_t, 3>& at) {
    program.setBlock(at);
    request.block = at;
    const unsigned threads = shape[0] * shape[1] * shape[2];
    for (unsigned first = 0; first < threads; first += 32) {
      program.setWarp(shape, first);
      request.warp = first / 32;
      program.run(0);
      const unsigned left = threads - first;
      if (!inside(0, left >= 32 ? ~0u : (1u << left) - 1, 0)) return false;
    }
    return true;
  }

 private:
  struct Nest {
    const Loop* loop = nullptr;
    unsigned runs = 0, step = 0;
  };
  struct Bound {
    unsigned value = 0;
    int64_t low = 0, high = 0;
  };

  static std::vector<AtomId> countersOf(const KernelModel& model, const Access& access) {
    std::vector<AtomId> out;
    for (const LoopId index : access.loops) out.push_back(model.loops[index].counter);
    return out;
  }

  // In one iteration of the first `depth` loops: lanes of `doubtful` wait for an answer of the guard that is
  // not known.
  bool inside(size_t depth, uint32_t active, uint32_t doubtful) {
    for (const Bound& bound : early[depth])
      if (!isWithin(bound, active)) return false;
    for (const unsigned part : parts[depth]) {
      const LaneProgram::Truth& t = program.truth(part);
      active &= t.yes | t.unknown;
      doubtful |= t.unknown;
    }
    doubtful &= active;
    looked += static_cast<uint64_t>(std::popcount(active));
    if (looked > limit) return false;
    if (active == 0) return true;
    if (depth < nests.size()) return iterations(depth, active, doubtful);
    const LaneProgram::Lanes& at = program[address];
    if (doubtful != 0 || (at.unknown & active) != 0) return false;
    for (const Bound& bound : requirements)
      if (!isWithin(bound, active)) return false;
    request.mask = active;
    request.address = at.value;
    fn(request);
    return true;
  }

  bool isWithin(const Bound& bound, uint32_t lanes) const {
    const LaneProgram::Lanes& v = program[bound.value];
    if ((v.unknown & lanes) != 0) return false;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      const int64_t x = v.value[static_cast<size_t>(std::countr_zero(left))];
      if (x < bound.low || x > bound.high) return false;
    }
    return true;
  }

  bool iterations(size_t depth, uint32_t active, uint32_t doubtful) {
    const Nest& nest = nests[depth];
    const Loop& loop = *nest.loop;
    LaneProgram::Lanes& counter = program.counter(static_cast<unsigned>(depth));
    counter.unknown = 0;
    if (loop.byDistance) {
      const LaneProgram::Lanes& step = program[nest.step];
      if ((step.unknown & active) != 0) return false;
      for (uint32_t left = active; left != 0; left &= left - 1)
        if (step.value[static_cast<size_t>(std::countr_zero(left))] == 0) return false;
    }
    for (size_t iteration = 0; loop.values.empty() || iteration < loop.values.size(); ++iteration) {
      if (!loop.values.empty()) {
        counter.value.fill(loop.values[iteration]);
      } else if (!loop.byDistance) {
        counter.value.fill(static_cast<int64_t>(iteration));
      } else if (iteration == 0) {
        counter.value.fill(0);
      } else {
        const LaneProgram::Lanes& step = program[nest.step];
        for (size_t i = 0; i < 32; ++i)
          if (__builtin_add_overflow(counter.value[i], step.value[i], &counter.value[i])) {
            counter.value[i] = 0;
            counter.unknown |= 1u << i;
          }
      }
      LaneProgram::settle(counter);
      program.run(static_cast<unsigned>(depth) + 1);
      const LaneProgram::Truth runs = program.truth(nest.runs);
      if ((runs.unknown & active) != 0) return false;
      // A list holds values of other launches as well; a condition that fails ends a loop that counts.
      const uint32_t now = active & runs.yes;
      if (loop.values.empty()) active = now;
      if (active == 0) return true;
      if (now != 0 && !inside(depth + 1, now, doubtful & now)) return false;
    }
    return true;
  }

  std::array<unsigned, 3> shape;
  LaneProgram program;
  std::vector<Nest> nests;
  std::vector<std::vector<unsigned>> parts;  // of the guard, by the depth at which they are known
  std::vector<std::vector<Bound>> early;     // what guard and loops rely on, likewise
  std::vector<Bound> requirements;
  unsigned address = 0;
  WarpRequest request;
  uint64_t limit, looked = 0;
  const std::function<void(const WarpRequest&)>& fn;
};

}  // namespace

bool forEachRequest(const KernelModel& model, const Access& access, const Launch& launch,
                    const std::vector<std::array<int64_t, 3>>& blocks, uint64_t limit,
                    const std::function<void(const WarpRequest&)>& fn) {
  for (const LoopId index : access.loops)
    if (model.loops[index].exactness == Exactness::Unknown) return false;
  RequestWalk walk(model, access, launch, limit, fn);
  if (!blocks.empty()) {
    for (const std::array<int64_t, 3>& block : blocks)
      if (!walk.block(block)) return false;
    return true;
  }
  for (int64_t z = 0; z < launch.grid[2]; ++z)
    for (int64_t y = 0; y < launch.grid[1]; ++y)
      for (int64_t x = 0; x < launch.grid[0]; ++x)
        if (!walk.block({x, y, z})) return false;
  return true;
}

}  // namespace hone::affine
