// Where lanes and warps meet: exchanges, warp barriers, block barriers.
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "sim/execute/Executor.h"

namespace hone::sim {

namespace {

size_t indexOf(const Warp& w, const Path& p) {
  for (size_t k = 0; k < w.paths.size(); ++k)
    if (w.paths[k].get() == &p) return k;
  return 0;
}

}  // namespace

bool Executor::exchange(BlockRun& b, Warp& w, Path& p, const Instr& i) {
  const CallSite& site = program.calls[size_t(i.imm)];
  uint32_t members[warpLanes];
  uint32_t needed = p.active;
  if (i.a == noReg) {
    for (uint32_t& m : members) m = p.active;
  } else {
    const uint32_t* mask = reg<uint32_t>(w, i.a);
    for (unsigned l = 0; l < warpLanes; ++l) {
      members[l] = mask[l] & w.initial;
      if ((p.active >> l) & 1) needed |= members[l];
    }
  }
  if ((needed & w.live & ~p.active) && !p.released) {
    splitWaiting(w, indexOf(w, p), false);
    p.state = Path::AtWarpSync;
    p.waitMask = needed;
    return false;
  }
  p.released = false;
  const void* args[16];
  void* results[16];
  alignas(64) uint8_t scratch[16][warpLanes * 8];
  for (size_t k = 0; k < site.args.size() && k < 16; ++k) args[k] = reg<uint8_t>(w, site.args[k]);
  // Results may stand where arguments do, and only the active lanes are written.
  const bool isWhole = p.active == ~uint32_t{0};
  for (size_t k = 0; k < site.results.size() && k < 16; ++k) results[k] = scratch[k];
  const uint32_t undefined =
      launch.exchanges[size_t(i.imm)](results, args, {p.active, members, site.extra}) & p.active;
  for (size_t k = 0; k < site.results.size() && k < 16; ++k) {
    const bool wide = isWide(site.resultTypes[k]);
    uint8_t* to = reg<uint8_t>(w, site.results[k]);
    if (isWhole) {
      std::memcpy(to, scratch[k], warpLanes * (wide ? 8 : 4));
      continue;
    }
    for (uint32_t rest = p.active; rest; rest &= rest - 1) {
      const auto l = unsigned(std::countr_zero(rest));
      if (wide)
        reinterpret_cast<uint64_t*>(to)[l] = reinterpret_cast<const uint64_t*>(scratch[k])[l];
      else
        reinterpret_cast<uint32_t*>(to)[l] = reinterpret_cast<const uint32_t*>(scratch[k])[l];
    }
  }
  if (undefined)
    fault(FindingKind::InvalidExchange, b, w, uint32_t(&i - program.code.data()), undefined,
          site.function + " takes a value from a lane that does not take part in it");
  return true;
}

bool Executor::warpSync(BlockRun& b, Warp& w, Path& p, const Instr& i) {
  uint32_t needed = 0;
  if (i.a == noReg) {
    needed = w.live;
  } else {
    const uint32_t* mask = reg<uint32_t>(w, i.a);
    for (unsigned l = 0; l < warpLanes; ++l)
      if ((p.active >> l) & 1) needed |= mask[l];
  }
  needed &= w.live;
  if ((needed & ~p.active) && !p.released) {
    splitWaiting(w, indexOf(w, p), false);
    p.state = Path::AtWarpSync;
    p.waitMask = needed;
    return false;
  }
  p.released = false;
  if (!launch.shadow) return true;
  if (i.a == noReg) {
    b.shadow->warpBarrier(w.index, needed | p.active);
    return true;
  }
  // Lanes that name different lanes (tiles of a warp) meet apart.
  const uint32_t* mask = reg<uint32_t>(w, i.a);
  for (uint32_t rest = p.active; rest;) {
    const uint32_t group = mask[std::countr_zero(rest)];
    uint32_t same = 0;
    for (unsigned l = 0; l < warpLanes; ++l)
      if (((rest >> l) & 1) && mask[l] == group) same |= 1u << l;
    b.shadow->warpBarrier(w.index, (group & w.live) | same);
    rest &= ~same;
  }
  return true;
}

// Paths whose partners have all come go on; those at one place as one path.
bool Executor::releaseWarpSyncs(Warp& w) {
  uint32_t waiting = 0;
  for (const auto& p : w.paths)
    if (p->state == Path::AtWarpSync) waiting |= p->active;
  bool any = false;
  std::vector<Path*> ready;
  for (const auto& p : w.paths)
    if (p->state == Path::AtWarpSync && (p->waitMask & w.live & ~waiting) == 0) ready.push_back(p.get());
  for (Path* p : ready) {
    p->state = Path::Runnable;
    p->released = true;
    any = true;
  }
  if (any) joinPaths(w);
  return any;
}

void Executor::arriveAtBarrier(BlockRun& b, Warp& w, Path& p) {
  (void)b;
  p.state = Path::AtBarrier;
  splitWaiting(w, indexOf(w, p), true);
}

void Executor::releaseBarrier(BlockRun& b) {
  const Path* first = nullptr;
  const Warp* firstWarp = nullptr;
  for (Warp& w : b.warps)
    for (const auto& p : w.paths)
      if (p->state == Path::AtBarrier && (!first || p->pc < first->pc)) {
        first = p.get();
        firstWarp = &w;
      }
  const uint32_t pc = uint32_t(first->pc);
  const auto lane = [](uint32_t mask) { return unsigned(std::countr_zero(mask)); };
  const Findings::Side here{pc, {b.linear, firstWarp->index}, lane(first->active), false, false};
  const char* const name = program.isOpenCL    ? "barrier()"
                           : program.isOpenAcc ? "end of a loop of workers or vector lanes"
                                               : "__syncthreads()";
  for (Warp& w : b.warps) {
    for (const auto& p : w.paths) {
      if (p->state != Path::AtBarrier) continue;
      if (p->pc != int32_t(pc)) {
        const Findings::Side other{uint32_t(p->pc), {b.linear, w.index}, lane(p->active), false, false};
        launch.findings.add(
            FindingKind::DivergentBarrier, FindingClass::Error, here, nullptr, &other,
            fmt::format(
                "threads of one block wait at different barriers; every thread must reach the same {}",
                name));
      } else if (p->partedAtBarrier && p->active) {
        const Findings::Side other{pc, {b.linear, w.index}, lane(p->active), false, false};
        launch.findings.add(
            FindingKind::DivergentBarrier, FindingClass::Error, other, nullptr, nullptr,
            fmt::format("{} in code that only some threads of a warp execute at a time", name));
      }
      p->partedAtBarrier = false;
    }
    const uint32_t gone = w.fellOff | (program.isOpenCL ? w.returned : 0);
    if (gone) {
      const Findings::Side absent{pc, {b.linear, w.index}, lane(gone), false, false};
      launch.findings.add(
          FindingKind::DivergentBarrier, FindingClass::Error, here, nullptr, nullptr,
          fmt::format("not every thread of the block reaches this {}: thread {} ended without it", name, [&] {
            const ThreadId id = launch.shape.thread(b.linear, absent.place.warp, absent.lane);
            return fmt::format("({},{},{})", id.thread[0], id.thread[1], id.thread[2]);
          }()));
    }
  }
  if (program.code[pc].op == Op::BarrierVote) vote(b, program.calls[size_t(program.code[pc].imm)]);
  if (launch.shadow) {
    const bool isPlain = program.code[pc].op == Op::BlockBarrier;
    const int32_t orders = isPlain ? program.code[pc].imm : 3;
    b.shadow->blockBarrier(orders & 1, orders & 2);
  }
  if (launch.profiler) launch.profiler->barrier();
  for (Warp& w : b.warps) {
    for (const auto& p : w.paths)
      if (p->state == Path::AtBarrier) {
        p->state = Path::Runnable;
        p->pc += 1;
      }

    if (w.paths.size() > 1) joinPaths(w);
  }
}

namespace {

template <class T>
T combine(std::string_view op, T a, T b) {
  if (op == "add") return T(a + b);
  if (op == "min") return b < a ? b : a;
  return a < b ? b : a;
}

}  // namespace

// The counting barriers and OpenCL's work-group functions, over the threads that stand at the barrier.
void Executor::vote(BlockRun& b, const CallSite& site) {
  struct Lane {
    Warp* warp;
    unsigned lane;
  };
  std::vector<Lane> threads;
  for (Warp& w : b.warps) {
    uint32_t here = 0;
    for (const auto& p : w.paths)
      if (p->state == Path::AtBarrier) here |= p->active;
    for (unsigned l = 0; l < warpLanes; ++l)
      if ((here >> l) & 1) threads.push_back({&w, l});
  }
  const std::string_view id = site.function;
  const auto predicate = [&](const Lane& t) { return reg<uint32_t>(*t.warp, site.args[0])[t.lane] != 0; };
  if (id.starts_with("syncthreads_") || id == "work_group_all" || id == "work_group_any") {
    uint32_t count = 0;
    for (const Lane& t : threads) count += predicate(t);
    const uint32_t all = count == threads.size();
    const uint32_t value = id == "syncthreads_count"                    ? count
                           : id.ends_with("and") || id.ends_with("all") ? all
                                                                        : count != 0;
    for (const Lane& t : threads) reg<uint32_t>(*t.warp, site.results[0])[t.lane] = value;
    return;
  }
  const auto over = [&]<class T>(T) {
    const auto value = [&](const Lane& t) -> T& { return reg<T>(*t.warp, site.args[0])[t.lane]; };
    if (id == "work_group_broadcast") {
      uint64_t at = 0;
      uint64_t stride = 1;
      for (size_t axis = 0; axis + 1 < site.args.size(); ++axis) {
        const Lane& t = threads[0];
        at +=
            stride * (isWide(site.argTypes[axis + 1]) ? reg<uint64_t>(*t.warp, site.args[axis + 1])[t.lane]
                                                      : reg<uint32_t>(*t.warp, site.args[axis + 1])[t.lane]);
        stride *= launch.shape.block[axis];
      }
      const T v =
          reg<T>(b.warps[std::min<size_t>(at / warpLanes, b.warps.size() - 1)], site.args[0])[at % warpLanes];
      for (const Lane& t : threads) reg<T>(*t.warp, site.results[0])[t.lane] = v;
      return;
    }
    const std::string_view op = id.substr(id.size() - 3);
    const bool isScan = id.find("scan") != std::string_view::npos,
               isExclusive = id.find("exclusive") != std::string_view::npos;
    std::vector<T> results;
    T total = op == "add"   ? T(0)
              : op == "min" ? std::numeric_limits<T>::max()
                            : std::numeric_limits<T>::lowest();
    if constexpr (std::is_floating_point_v<T>)
      if (op != "add")
        total = op == "min" ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
    for (const Lane& t : threads) {
      if (isExclusive) results.push_back(total);
      total = combine(op, total, value(t));
      if (!isExclusive) results.push_back(total);
    }
    for (size_t k = 0; k < threads.size(); ++k)
      reg<T>(*threads[k].warp, site.results[0])[threads[k].lane] = isScan ? results[k] : total;
  };
  switch (site.argTypes[0]) {
    case Scalar::I64: over(int64_t{}); break;
    case Scalar::U64: over(uint64_t{}); break;
    case Scalar::F64: over(double{}); break;
    case Scalar::F32:
    case Scalar::F16:
    case Scalar::BF16: over(float{}); break;
    case Scalar::U32:
    case Scalar::U16:
    case Scalar::U8:
    case Scalar::Bool: over(uint32_t{}); break;
    default: over(int32_t{});
  }
}

void Executor::deadlock(BlockRun& b) {
  for (Warp& w : b.warps)
    for (const auto& p : w.paths)
      if (p->state != Path::Done && p->active) {
        fault(FindingKind::Deadlock, b, w, uint32_t(p->pc), p->active,
              "waits for threads that wait elsewhere: no thread of the block can go on");
        launch.stop = true;
        return;
      }
  launch.stop = true;
}

void Executor::fault(FindingKind kind, const BlockRun& b, const Warp& w, uint32_t pc, uint32_t lanes,
                     std::string message) {
  for (unsigned l = 0; l < warpLanes; ++l)
    if ((lanes >> l) & 1)
      launch.findings.add(kind, FindingClass::Error, {pc, {b.linear, w.index}, l, false, false}, nullptr,
                          nullptr, message);
  if (launch.options.stopAtFirst) launch.stop = true;
}

}  // namespace hone::sim
