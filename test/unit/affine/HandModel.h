// Models of kernels put together by hand, and what their accesses touch by plain enumeration.
#pragma once

#include <functional>
#include <random>
#include <set>

#include "affine/Evaluate.h"

namespace hone::affine {

struct HandModel {
  KernelModel model;
  Poly tx, ty, bx, by;

  explicit HandModel(std::array<unsigned, 3> block) {
    model.block = block;
    model.atoms = std::make_shared<Atoms>();
    model.atoms->blockShape = block;
    tx = model.atoms->thread(0), ty = model.atoms->thread(1);
    bx = model.atoms->block(0), by = model.atoms->block(1);
  }

  Poly symbol(const std::string& name) { return model.atoms->symbol(name, nullptr, INT32_MIN, INT32_MAX); }

  ArrayId array(const std::string& name, ir::Space space = ir::Space::Global,
                std::vector<int64_t> extents = {}) {
    Array a;
    a.name = name;
    a.space = space;
    a.element = ir::floatType(32);
    a.extents = std::move(extents);
    return model.arrays.add(a);
  }

  // for (v = first; v < bound; v += step): gives the value of v.
  Poly enter(const Poly& first, const Poly& bound, int64_t step = 1) {
    const LoopId index(model.loops.size());
    Poly counter = model.atoms->loop(index);
    Loop l;
    l.handle = "L" + std::to_string(index.number() + 1);
    l.parent = open.empty() ? LoopId::none() : open.back();
    l.counter = counter.atoms().front();
    l.first = first;
    l.step = Poly(step);
    Poly v = first + counter * Poly(step);
    l.runs = step > 0 ? atLeast0(bound - Poly(1) - v) : atLeast0(v - bound - Poly(1));
    model.loops.add(l);
    model.atoms->loopNames.add(std::string(1, char('i' + index.number())));
    model.events.push_back({.kind = EventKind::Enter, .loop = index});
    open.push_back(index);
    return v;
  }
  void leave() {
    model.events.push_back({.kind = EventKind::Leave, .loop = open.back()});
    open.pop_back();
  }
  void guard(const CondPtr& c) {
    int index = int(model.branches.size());
    model.branches.push_back({nullptr, c, {}});
    model.events.push_back({.kind = EventKind::Then, .number = index});
    guards.push_back(c);
  }
  void endGuard() {
    model.events.push_back({.kind = EventKind::EndIf, .number = int(model.branches.size()) - 1});
    guards.pop_back();
  }
  // `element` counts floats.
  AccessId access(ArrayId array, ir::AccessMode mode, const Poly& element, unsigned bytes = 4) {
    Access a;
    a.handle = model.arrays[array].name + "#" + std::to_string(model.accesses.size() + 1);
    a.array = array;
    a.mode = mode;
    a.bytes = bytes;
    a.address = element * Poly(4);
    a.loops = open;
    a.guard = allOf(guards);
    const AccessId id = model.accesses.add(a);
    model.events.push_back({.kind = EventKind::Access, .access = id});
    return id;
  }
  AccessId read(ArrayId array, const Poly& element) { return access(array, ir::AccessMode::Read, element); }
  AccessId write(ArrayId array, const Poly& element) { return access(array, ir::AccessMode::Write, element); }
  int barrier() {
    BarrierPoint b;
    b.loops = open;
    b.guard = allOf(guards);
    model.barriers.push_back(b);
    int index = int(model.barriers.size()) - 1;
    model.events.push_back({.kind = EventKind::Barrier, .number = index});
    return index;
  }

 private:
  std::vector<LoopId> open;
  std::vector<CondPtr> guards;
};

// One execution of an access by one thread.
struct Execution {
  std::array<int64_t, 3> block{}, thread{};
  std::vector<int64_t> counters;  // of the access's loops
  int64_t address = 0;
  int64_t linear(const KernelModel& m) const {
    return thread[0] + int64_t(m.block[0]) * (thread[1] + int64_t(m.block[1]) * thread[2]);
  }
};

// Every execution, by trying each counter from 0 until the loop's condition fails.
inline void forEachExecution(const KernelModel& model, const Access& access, const Launch& launch,
                             const std::function<void(const Execution&)>& fn) {
  Execution e;
  e.counters.resize(access.loops.size());
  for (e.block[1] = 0; e.block[1] < launch.grid[1]; ++e.block[1])
    for (e.block[0] = 0; e.block[0] < launch.grid[0]; ++e.block[0])
      for (e.thread[1] = 0; e.thread[1] < model.block[1]; ++e.thread[1])
        for (e.thread[0] = 0; e.thread[0] < model.block[0]; ++e.thread[0]) {
          Values values(*model.atoms, launch);
          for (unsigned axis = 0; axis < 3; ++axis)
            values.setBlock(axis, e.block[axis]), values.setThread(axis, e.thread[axis]);
          std::function<void(size_t)> nest = [&](size_t depth) {
            if (depth == access.loops.size()) {
              if (!values.holds(access.guard).value_or(false)) return;
              e.address = *values.value(access.address);
              fn(e);
              return;
            }
            const Loop& loop = model.loops[access.loops[depth]];
            for (int64_t c = 0; c < 1000; ++c) {
              values.set(loop.counter, c);
              e.counters[depth] = c;
              if (!values.holds(loop.runs).value_or(false)) break;
              nest(depth + 1);
            }
            values.clear(loop.counter);
          };
          nest(0);
        }
}

}  // namespace hone::affine
