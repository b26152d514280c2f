#include "analysis/Uniformity.h"

#include <algorithm>

#include "analysis/LanePattern.h"
#include "target/CountSectors.h"

namespace hone::analysis {

using affine::AtomId;
using affine::AtomKind;
using affine::CondKind;
using affine::CondPtr;
using affine::Poly;
using affine::Variation;

namespace {

std::string axesText(const char* name, unsigned axes) {
  std::string out;
  for (unsigned a = 0; a < 3; ++a)
    if (axes >> a & 1) out += (out.empty() ? "" : " and ") + std::string(name) + "." + "xyz"[a];
  return out;
}

std::string named(const affine::Atom& atom) {
  return atom.name + (atom.reason.empty() ? "" : ": " + atom.reason);
}

// What values differ with between threads: something not known before coordinates.
template <class Value>
std::string threadReason(const affine::KernelModel& model, const Value& value, unsigned axes) {
  const affine::Atoms& atoms = *model.atoms;
  std::string out;
  atoms.forEachAtom(value, [&](AtomId id) {
    const affine::Atom& atom = atoms[id];
    if (out.empty() && atom.kind == AtomKind::Opaque && !atom.varies.isUniform()) out = named(atom);
  });
  return out.empty() ? axesText("threadIdx", axes) : out;
}

std::string unknownPart(const CondPtr& cond) {
  if (cond->kind == CondKind::Unknown && !cond->varies.isUniform()) return cond->reason;
  for (const CondPtr& part : cond->parts)
    if (std::string reason = unknownPart(part); !reason.empty()) return reason;
  return {};
}

// Axes along which threads of a warp, or warps of a block, are told apart.
unsigned axesInside(const affine::KernelModel& model, bool withinWarp) {
  unsigned axes = 0;
  unsigned before = 1;  // threads that axes before this one span
  for (unsigned a = 0; a < 3; ++a) {
    if (model.block[a] == 1) continue;
    if (!withinWarp || before % target::warpLanes) axes |= 1u << a;
    if (withinWarp && before % target::warpLanes == 0 && before >= target::warpLanes) break;
    before *= model.block[a];
  }
  return axes;
}

class Finder {
 public:
  explicit Finder(PerThread& p) : model(p.model), atoms(*p.model.atoms), perThread(p) {}

  Uniformity of(const Poly& value) {
    if (const affine::Atom* atom = perThread.unrelated(value))
      return {UniformOver::Thread, false,
              atom->kind == AtomKind::Opaque ? named(*atom) : unknownReason(atom->cond)};
    ThreadValue perValue(perThread, value);
    auto certain = [](const PerThread::Value& a, const PerThread::Value& b) {
      return a.symbolic == b.symbolic && a.number != b.number;
    };
    return find<PerThread::Value>(
        atoms.variation(value), perValue, certain, [&] { return threadReason(model, value, 0); },
        [&](const PerThread::Value& v) { return atoms.variation(perThread.symbolic(v.symbolic)); });
  }

  Uniformity of(const CondPtr& cond) {
    if (!cond) return {UniformOver::Grid, false, ""};
    ThreadCond& perCond = perThread.condition(cond);
    auto certain = [](const ThreadCond::State& a, const ThreadCond::State& b) {
      return a.decided && b.decided && *a.decided != *b.decided;
    };
    return find<ThreadCond::State>(
        atoms.variation(cond), perCond, certain,
        [&] {
          const std::string part = unknownPart(cond);
          return part.empty() ? threadReason(model, cond, 0) : part;
        },
        [&](const ThreadCond::State& state) { return state.decided ? Variation{} : atoms.variation(cond); });
  }

 private:
  // `rest`: what the value of the first thread varies with.
  template <class Value, class Values, class Certain, class Reason, class Rest>
  Uniformity find(const Variation& varies, Values& values, const Certain& certain, const Reason& reason,
                  const Rest& rest) {
    Uniformity out;
    const Value first = values.at(0);
    if (!varies.isUniform()) {
      bool inWarps = true, inBlock = true, isCertain = false, isCertainInWarp = false;
      Value ofWarp = first;
      for (unsigned t = 0; t < model.threads() && !isCertainInWarp; ++t) {
        const Value one = values.at(t);
        if (t % target::warpLanes == 0) ofWarp = one;
        if (!(ofWarp == one)) {
          inWarps = false;
          isCertainInWarp = certain(ofWarp, one);
        }
        if (!(first == one)) {
          inBlock = false;
          isCertain = isCertain || certain(first, one);
        }
      }
      if (!inWarps || !inBlock) {
        out.over = inWarps ? UniformOver::Warp : UniformOver::Thread;
        out.differs = inWarps ? isCertain : isCertainInWarp;
        out.why = reason();
        if (out.why.empty()) out.why = axesText("threadIdx", varies.threadAxes & axesInside(model, !inWarps));
        if (out.why.empty()) out.why = axesText("threadIdx", varies.threadAxes);
        return out;
      }
    }
    const Variation left = rest(first);
    out.over = left.blockAxes ? UniformOver::Block : UniformOver::Grid;
    if (left.blockAxes) out.why = axesText("blockIdx", left.blockAxes);
    return out;
  }

  const affine::KernelModel& model;
  const affine::Atoms& atoms;
  PerThread& perThread;
};

// The narrower of two, with its reason.
Uniformity both(const Uniformity& a, const Uniformity& b) { return b.over < a.over ? b : a; }

}  // namespace

const char* str(UniformOver scope) {
  switch (scope) {
    case UniformOver::Thread: return "thread";
    case UniformOver::Warp: return "warp";
    case UniformOver::Block: return "block";
    case UniformOver::Grid: break;
  }
  return "grid";
}

namespace {

template <class Value>
Uniformity guarded(PerThread& perThread, const Value& value) {
  try {
    return Finder(perThread).of(value);
  } catch (const affine::TooLarge& e) {
    return {UniformOver::Thread, false, e.what()};
  }
}

}  // namespace

Uniformity uniformityOf(PerThread& perThread, const Poly& value) { return guarded(perThread, value); }
Uniformity uniformityOf(PerThread& perThread, const CondPtr& cond) { return guarded(perThread, cond); }

KernelUniformity uniformity(PerThread& perThread) {
  const affine::KernelModel& model = perThread.model;
  KernelUniformity out;
  for (const affine::Loop& loop : model.loops) {
    Uniformity u = both(uniformityOf(perThread, loop.runs), uniformityOf(perThread, loop.step));
    // A way out that is not part of the condition may be one thread's own.
    if (loop.exactness != affine::Exactness::Exact && u.over != UniformOver::Thread)
      u = {UniformOver::Thread, false, loop.inexact.empty() ? "its iterations are not known" : loop.inexact};
    out.loops.add(std::move(u));
  }
  auto together = [&](const CondPtr& guard, const std::vector<affine::LoopId>& loops) {
    Uniformity u = uniformityOf(perThread, guard);
    for (affine::LoopId loop : loops) u = both(u, out.loops[loop]);
    return u;
  };
  for (const affine::Access& access : model.accesses) {
    Uniformity address = uniformityOf(perThread, access.address);
    if (access.array.isNone() && address.over != UniformOver::Thread)
      address = {UniformOver::Thread, false,
                 access.reason.empty() ? "which memory is not known" : access.reason};
    out.addresses.add(std::move(address));
    Uniformity execution = together(access.guard, access.loops);
    if (access.exactness == affine::Exactness::Over && execution.over != UniformOver::Thread)
      execution = {UniformOver::Thread, false, access.reason};
    out.executions.add(std::move(execution));
  }
  for (const affine::Branch& branch : model.branches)
    out.branches.push_back(uniformityOf(perThread, branch.cond));
  for (const affine::BarrierPoint& barrier : model.barriers)
    out.barriers.push_back(together(barrier.guard, barrier.loops));
  return out;
}

}  // namespace hone::analysis
