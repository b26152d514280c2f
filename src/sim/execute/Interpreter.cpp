// The run loop: one instruction at a time over the lanes of a warp.
#include <bit>
#include <cmath>
#include <cstring>

#include "sim/execute/Executor.h"

namespace hone::sim {

namespace {

constexpr uint32_t allLanes = 0xffffffffu;
constexpr uint32_t iterationsBeforeSplit =
    100;  // of a loop that may wait, before those that left it go ahead

// Every lane of `d`, or only those in the mask. Source and destination are equal or disjoint, so each lane is
// by itself.
template <class D, class F>
[[gnu::always_inline]] inline void lanes(D* d, uint32_t mask, F&& value) {
  if (mask == allLanes) {
#pragma clang loop vectorize(assume_safety)
    for (unsigned l = 0; l < warpLanes; ++l) d[l] = value(l);
  } else {
#pragma clang loop vectorize(assume_safety)
    for (unsigned l = 0; l < warpLanes; ++l) {
      const D v = value(l);
      d[l] = (mask >> l) & 1 ? v : d[l];
    }
  }
}

inline uint32_t maskOf(const uint32_t* condition) {
  uint32_t mask = 0;
#pragma clang loop vectorize(assume_safety)
  for (unsigned l = 0; l < warpLanes; ++l) mask |= uint32_t(condition[l] != 0) << l;
  return mask;
}

// Out of range saturates and NaN gives 0, as the machine's conversions do.
template <class To, class From>
[[gnu::always_inline]] inline To saturate(From v) {
  constexpr From low = From(std::numeric_limits<To>::min());
  constexpr From high =
      From(std::numeric_limits<To>::max());  // may round up to a power of two, which is out of range then
  if (!(v >= low)) return v != v ? To(0) : std::numeric_limits<To>::min();
  if (v >= high) return std::numeric_limits<To>::max();
  return To(v);
}

inline float roundToBFloat(float v) {
  uint32_t bits = std::bit_cast<uint32_t>(v);
  if ((bits & 0x7fffffff) > 0x7f800000) return std::bit_cast<float>((bits | 0x400000) & 0xffff0000u);
  bits += 0x7fff + ((bits >> 16) & 1);
  return std::bit_cast<float>(bits & 0xffff0000u);
}

inline float roundToBFloat(double v) {
  // Round to odd in float first, so that the second rounding sees what was lost.
  float f = float(v);
  if (double(f) != v && f == f && std::isfinite(f)) {
    uint32_t bits = std::bit_cast<uint32_t>(f);
    const bool roundedAway = std::fabs(double(f)) > std::fabs(v);
    if (roundedAway) bits -= 1;
    f = std::bit_cast<float>(bits | 1);
  }
  return roundToBFloat(f);
}

// Quotients of 32 bits by one divisor of at least 2: the high half of a product with ceil(2^64 / divisor),
// which is exact.
struct Reciprocal {
  uint32_t divisor;
  uint64_t factor;
  explicit Reciprocal(uint32_t d) : divisor(d), factor(d > 1 ? ~uint64_t(0) / d + 1 : 0) {}
  bool useful() const { return divisor > 1; }
  uint32_t divide(uint32_t x) const { return uint32_t((unsigned __int128)(factor)*x >> 64); }
  int32_t divide(int32_t x) const {
    const uint32_t q = divide(x < 0 ? 0u - uint32_t(x) : uint32_t(x));
    return int32_t(x < 0 ? 0u - q : q);
  }
};

}  // namespace

Executor::Stop Executor::runPath(BlockRun& b, Warp& w, Path& p, uint64_t budget) {
  if (launch.profiler) return interpret<Noting::Counts>(b, w, p, budget);
  if (launch.options.executed) return interpret<Noting::Executed>(b, w, p, budget);
  return interpret<Noting::Nothing>(b, w, p, budget);
}

// clang-format off
#define UNARY(op, D, A, expr) \
  case Op::op: { const A* a = reg<A>(w, i.a); lanes(reg<D>(w, i.dst), active, [&](unsigned l) { const A x = a[l]; return D(expr); }); break; }
#define BINARY(op, D, A, expr) \
  case Op::op: { const A* a = reg<A>(w, i.a); const A* c = reg<A>(w, i.b); \
    lanes(reg<D>(w, i.dst), active, [&](unsigned l) { const A x = a[l], y = c[l]; return D(expr); }); break; }
#define SHIFT(op, D, expr) \
  case Op::op: { const D* a = reg<D>(w, i.a); const uint32_t* c = reg<uint32_t>(w, i.b); \
    lanes(reg<D>(w, i.dst), active, [&](unsigned l) { const D x = a[l]; const uint32_t y = c[l]; return D(expr); }); break; }
// A lane that divides by zero is reported and gets all bits set, as the machine gives.
#define DIVIDE(op, T, expr) \
  case Op::op: { const T* a = reg<T>(w, i.a); const T* c = reg<T>(w, i.b); T* d = reg<T>(w, i.dst); uint32_t zero = 0; \
    for (unsigned l = 0; l < warpLanes; ++l) if ((active >> l) & 1) { const T x = a[l], y = c[l]; \
      if (y == 0) { zero |= 1u << l; d[l] = T(-1); } else d[l] = T(expr); } \
    if (zero) fault(FindingKind::DivideByZero, b, w, uint32_t(pc - 1), zero, "integer division by zero"); break; }
// By a divisor that is the same for the whole launch: one multiplication a lane.
#define DIVIDE32(op, T, expr, quick) \
  case Op::op: { if (i.b & uniformBank) { const T divisor = reg<T>(w, i.b)[0]; \
      if (const Reciprocal by(divisor < T(1) ? 0u : uint32_t(divisor)); by.useful()) { \
        const T* a = reg<T>(w, i.a); \
        lanes(reg<T>(w, i.dst), active, [&](unsigned l) { const T x = a[l]; return T(quick); }); break; } } \
    const T* a = reg<T>(w, i.a); const T* c = reg<T>(w, i.b); T* d = reg<T>(w, i.dst); uint32_t zero = 0; \
    for (unsigned l = 0; l < warpLanes; ++l) if ((active >> l) & 1) { const T x = a[l], y = c[l]; \
      if (y == 0) { zero |= 1u << l; d[l] = T(-1); } else d[l] = T(expr); } \
    if (zero) fault(FindingKind::DivideByZero, b, w, uint32_t(pc - 1), zero, "integer division by zero"); break; }
// clang-format on

template <Executor::Noting noting>
Executor::Stop Executor::interpret(BlockRun& b, Warp& w, Path& p, uint64_t budget) {
  const Instr* const code = program.code.data();
  int32_t pc = p.pc;
  uint32_t active = p.active;
  uint64_t left = budget;
  constexpr bool Counting = noting == Noting::Counts;
  uint8_t* const cameBy = executed.data();
  InstructionCount* const counts = Counting ? launch.profiler->instructions() : nullptr;
  const auto stop = [&](Stop why) {
    p.pc = pc;
    p.active = active;
    w.steps += budget - left;
    return why;
  };
  const auto enter = [&](Frame::Kind kind, const Instr& i, uint32_t pending) {
    p.frames.push_back({.kind = kind, .saved = active, .pending = pending, .pcA = i.imm, .pcB = i.imm2});
  };
  const auto leaveFrame = [&](const Instr& i) {
    active = p.frames.back().saved;
    p.frames.pop_back();
    if (!active) pc = i.imm;
  };
  // Lanes go to the end of frame `target`: out of every frame inside it.
  const auto jumpOut = [&](size_t target) {
    for (size_t f = p.frames.size(); f-- > target + 1;) p.frames[f].keepOnly(~active);
  };
  for (;;) {
    if (left == 0) return stop(Stop::Budget);
    --left;
    const Instr& i = code[pc];
    if constexpr (noting == Noting::Executed) cameBy[pc] = 1;
    if constexpr (Counting) {
      counts[pc].warps++;
      counts[pc].lanes += unsigned(std::popcount(active));
    }
    ++pc;
    switch (i.op) {
      UNARY(Mov32, uint32_t, uint32_t, x)
      UNARY(Mov64, uint64_t, uint64_t, x)
      BINARY(AddI32, uint32_t, uint32_t, x + y)
      BINARY(AddI64, uint64_t, uint64_t, x + y)
      BINARY(AddF32, float, float, x + y)
      BINARY(AddF64, double, double, x + y)
      BINARY(SubI32, uint32_t, uint32_t, x - y)
      BINARY(SubI64, uint64_t, uint64_t, x - y)
      BINARY(SubF32, float, float, x - y)
      BINARY(SubF64, double, double, x - y)
      BINARY(MulI32, uint32_t, uint32_t, x* y)
      BINARY(MulI64, uint64_t, uint64_t, x* y)
      BINARY(MulF32, float, float, x* y)
      BINARY(MulF64, double, double, x* y)
      BINARY(DivF32, float, float, x / y)
      BINARY(DivF64, double, double, x / y)
      DIVIDE32(DivI32, int32_t, y == -1 ? int32_t(0u - uint32_t(x)) : x / y, by.divide(x))
      DIVIDE32(DivU32, uint32_t, x / y, by.divide(x))
      DIVIDE(DivI64, int64_t, y == -1 ? int64_t(0ull - uint64_t(x)) : x / y)
      DIVIDE(DivU64, uint64_t, x / y)
      DIVIDE32(RemI32, int32_t, y == -1 ? 0 : x % y, x - by.divide(x) * int32_t(by.divisor))
      DIVIDE32(RemU32, uint32_t, x % y, x - by.divide(x) * by.divisor)
      DIVIDE(RemI64, int64_t, y == -1 ? 0 : x % y)
      DIVIDE(RemU64, uint64_t, x % y)
      case Op::FmaF32: {
        const float *a = reg<float>(w, i.a), *c = reg<float>(w, i.b), *e = reg<float>(w, i.c);
        lanes(reg<float>(w, i.dst), active, [&](unsigned l) { return std::fma(a[l], c[l], e[l]); });
        break;
      }
      case Op::FmaF64: {
        const double *a = reg<double>(w, i.a), *c = reg<double>(w, i.b), *e = reg<double>(w, i.c);
        lanes(reg<double>(w, i.dst), active, [&](unsigned l) { return std::fma(a[l], c[l], e[l]); });
        break;
      }
        UNARY(NegI32, uint32_t, uint32_t, 0u - x)
        UNARY(NegI64, uint64_t, uint64_t, uint64_t(0) - x)
        UNARY(NegF32, float, float, -x)
        UNARY(NegF64, double, double, -x)
        BINARY(And32, uint32_t, uint32_t, x& y)
        BINARY(And64, uint64_t, uint64_t, x& y)
        BINARY(Or32, uint32_t, uint32_t, x | y)
        BINARY(Or64, uint64_t, uint64_t, x | y)
        BINARY(Xor32, uint32_t, uint32_t, x ^ y)
        BINARY(Xor64, uint64_t, uint64_t, x ^ y)
        UNARY(Not32, uint32_t, uint32_t, ~x)
        UNARY(Not64, uint64_t, uint64_t, ~x)
        UNARY(LogicalNot, uint32_t, uint32_t, x == 0)
        SHIFT(Shl32, uint32_t, y < 32 ? x << (y & 31) : 0)
        SHIFT(Shl64, uint64_t, y < 64 ? x << (y & 63) : 0)
        SHIFT(ShrI32, int32_t, x >> (y < 32 ? y : 31))
        SHIFT(ShrU32, uint32_t, y < 32 ? x >> (y & 31) : 0)
        SHIFT(ShrI64, int64_t, x >> (y < 64 ? y : 63))
        SHIFT(ShrU64, uint64_t, y < 64 ? x >> (y & 63) : 0)
        BINARY(Eq32, uint32_t, uint32_t, x == y)
        BINARY(Eq64, uint32_t, uint64_t, x == y)
        BINARY(EqF32, uint32_t, float, x == y)
        BINARY(EqF64, uint32_t, double, x == y)
        BINARY(Ne32, uint32_t, uint32_t, x != y)
        BINARY(Ne64, uint32_t, uint64_t, x != y)
        BINARY(NeF32, uint32_t, float, x != y)
        BINARY(NeF64, uint32_t, double, x != y)
        BINARY(LtI32, uint32_t, int32_t, x < y)
        BINARY(LtU32, uint32_t, uint32_t, x < y)
        BINARY(LtI64, uint32_t, int64_t, x < y)
        BINARY(LtU64, uint32_t, uint64_t, x < y)
        BINARY(LtF32, uint32_t, float, x < y)
        BINARY(LtF64, uint32_t, double, x < y)
        BINARY(LeI32, uint32_t, int32_t, x <= y)
        BINARY(LeU32, uint32_t, uint32_t, x <= y)
        BINARY(LeI64, uint32_t, int64_t, x <= y)
        BINARY(LeU64, uint32_t, uint64_t, x <= y)
        BINARY(LeF32, uint32_t, float, x <= y)
        BINARY(LeF64, uint32_t, double, x <= y)
      case Op::Select32: {
        const uint32_t *is = reg<uint32_t>(w, i.a), *yes = reg<uint32_t>(w, i.b), *no = reg<uint32_t>(w, i.c);
        lanes(reg<uint32_t>(w, i.dst), active, [&](unsigned l) { return is[l] ? yes[l] : no[l]; });
        break;
      }
      case Op::Select64: {
        const uint32_t* is = reg<uint32_t>(w, i.a);
        const uint64_t *yes = reg<uint64_t>(w, i.b), *no = reg<uint64_t>(w, i.c);
        lanes(reg<uint64_t>(w, i.dst), active, [&](unsigned l) { return is[l] ? yes[l] : no[l]; });
        break;
      }
        UNARY(ExtendI8, int32_t, int32_t, int8_t(x))
        UNARY(ExtendU8, uint32_t, uint32_t, uint8_t(x))
        UNARY(ExtendI16, int32_t, int32_t, int16_t(x))
        UNARY(ExtendU16, uint32_t, uint32_t, uint16_t(x))
        UNARY(RoundF16, float, float, _Float16(x))
        UNARY(RoundBF16, float, float, roundToBFloat(x))
        UNARY(RoundF64ToF16, float, double, _Float16(x))
        UNARY(RoundF64ToBF16, float, double, roundToBFloat(x))
        UNARY(I32ToI64, int64_t, int32_t, x)
        UNARY(U32ToI64, int64_t, uint32_t, x)
        UNARY(I64ToI32, uint32_t, uint64_t, x)
        UNARY(I32ToF32, float, int32_t, x)
        UNARY(U32ToF32, float, uint32_t, x)
        UNARY(I64ToF32, float, int64_t, x)
        UNARY(U64ToF32, float, uint64_t, x)
        UNARY(I32ToF64, double, int32_t, x)
        UNARY(U32ToF64, double, uint32_t, x)
        UNARY(I64ToF64, double, int64_t, x)
        UNARY(U64ToF64, double, uint64_t, x)
        UNARY(F32ToF64, double, float, x)
        UNARY(F64ToF32, float, double, x)
        UNARY(F32ToI32, int32_t, float, saturate<int32_t>(x))
        UNARY(F32ToU32, uint32_t, float, saturate<uint32_t>(x))
        UNARY(F32ToI64, int64_t, float, saturate<int64_t>(x))
        UNARY(F32ToU64, uint64_t, float, saturate<uint64_t>(x))
        UNARY(F64ToI32, int32_t, double, saturate<int32_t>(x))
        UNARY(F64ToU32, uint32_t, double, saturate<uint32_t>(x))
        UNARY(F64ToI64, int64_t, double, saturate<int64_t>(x))
        UNARY(F64ToU64, uint64_t, double, saturate<uint64_t>(x))
        UNARY(NonZero32, uint32_t, uint32_t, x != 0)
        UNARY(NonZero64, uint32_t, uint64_t, x != 0)
        UNARY(NonZeroF32, uint32_t, float, x != 0)
        UNARY(NonZeroF64, uint32_t, double, x != 0)

      case Op::ThreadX:
      case Op::ThreadY:
      case Op::ThreadZ: {
        const uint32_t* const index =
            launch.threadIndex[size_t(i.op) - size_t(Op::ThreadX)].data() + size_t(w.index) * warpLanes;
        lanes(reg<uint32_t>(w, i.dst), active, [&](unsigned l) { return index[l]; });
        break;
      }
      case Op::BlockX: lanes(reg<uint32_t>(w, i.dst), active, [&](unsigned) { return b.index[0]; }); break;
      case Op::BlockY: lanes(reg<uint32_t>(w, i.dst), active, [&](unsigned) { return b.index[1]; }); break;
      case Op::BlockZ: lanes(reg<uint32_t>(w, i.dst), active, [&](unsigned) { return b.index[2]; }); break;
      case Op::LaneId: lanes(reg<uint32_t>(w, i.dst), active, [&](unsigned l) { return l; }); break;
      case Op::ThreadRank:
        lanes(reg<uint32_t>(w, i.dst), active, [&](unsigned l) { return w.index * warpLanes + l; });
        break;
      case Op::ActiveMask: lanes(reg<uint32_t>(w, i.dst), active, [&](unsigned) { return active; }); break;
      case Op::TileMask: {
        const unsigned size = unsigned(i.imm);
        const uint32_t tile = size == 32 ? allLanes : (1u << size) - 1;
        lanes(reg<uint32_t>(w, i.dst), active,
              [&](unsigned l) { return (tile << (l / size * size)) & w.initial; });
        break;
      }
      case Op::Clock: {
        const uint64_t now = w.steps + (budget - left);
        lanes(reg<uint64_t>(w, i.dst), active, [&](unsigned) { return now; });
        break;
      }

      case Op::Lea: {
        uint64_t address[warpLanes];
        addresses(w, i, address);
        const uint64_t window = i.a != noReg                     ? 0
                                : i.space == MemorySpace::Shared ? sharedWindow
                                                                 : localWindow;
        lanes(reg<uint64_t>(w, i.dst), active, [&](unsigned l) { return address[l] + window; });
        break;
      }
      case Op::Load: load(b, w, i, uint32_t(pc - 1), active); break;
      case Op::Store: store(b, w, i, uint32_t(pc - 1), active); break;
      case Op::Atomic: atomic(b, w, i, uint32_t(pc - 1), active); break;

      case Op::CallPure: {
        const CallSite& site = program.calls[size_t(i.imm)];
        const void* args[64];
        void* results[16];
        alignas(64) uint8_t scratch[16][warpLanes * 8];
        for (size_t k = 0; k < site.args.size(); ++k) args[k] = reg<uint8_t>(w, site.args[k]);
        const bool direct = active == allLanes;
        for (size_t k = 0; k < site.results.size(); ++k)
          results[k] = direct ? static_cast<void*>(reg<uint8_t>(w, site.results[k])) : scratch[k];
        launch.pure[size_t(i.imm)](results, args);
        if (!direct)
          for (size_t k = 0; k < site.results.size(); ++k) {
            if (isWide(site.resultTypes[k])) {
              const auto* from = reinterpret_cast<const uint64_t*>(scratch[k]);
              lanes(reg<uint64_t>(w, site.results[k]), active, [&](unsigned l) { return from[l]; });
            } else {
              const auto* from = reinterpret_cast<const uint32_t*>(scratch[k]);
              lanes(reg<uint32_t>(w, site.results[k]), active, [&](unsigned l) { return from[l]; });
            }
          }
        break;
      }
      case Op::Exchange:
        p.active = active;
        if (!exchange(b, w, p, i)) {
          --pc;
          return stop(Stop::Waiting);
        }
        break;
      case Op::CallMachine:
        callMachine(b, w, i, uint32_t(pc - 1), active);
        if (launch.stop) return stop(Stop::Fatal);
        break;

      case Op::If: {
        const uint32_t taken = active & maskOf(reg<uint32_t>(w, i.a));
        enter(Frame::If, i, active & ~taken);
        active = taken;
        if (!active) pc = i.imm;
        break;
      }
      case Op::Else: {
        Frame& f = p.frames.back();
        active = f.pending;
        f.pending = 0;
        f.inElse = true;
        f.pcA = f.pcB;
        if (!active) pc = i.imm;
        break;
      }
      case Op::EndIf:
      case Op::LoopEnd:
      case Op::SwitchEnd:
      case Op::CallEnd: leaveFrame(i); break;
      case Op::Loop:
        enter(Frame::Loop, i, 0);
        if (i.count) p.iterations = 0;
        break;
      case Op::LoopTest:
        active &= maskOf(reg<uint32_t>(w, i.a));
        if (!active) pc = i.imm;
        break;
      case Op::Continue: {
        jumpOut(i.b);
        p.frames[i.b].cont |= active;
        active = 0;
        pc = i.imm;
        break;
      }
      case Op::ContinueJoin: {
        Frame& f = p.frames.back();
        active |= f.cont;
        f.cont = 0;
        if (!active) pc = i.imm;
        break;
      }
      case Op::LoopBack:
        pc = i.imm;
        // A loop on a lock or a flag: those that left it may be the ones it waits for.
        if (code[pc - 1].op == Op::Loop && code[pc - 1].count && ++p.iterations >= iterationsBeforeSplit) {
          p.iterations = 0;
          p.active = active;
          for (size_t k = 0; k < w.paths.size(); ++k)
            if (w.paths[k].get() == &p) {
              splitWaiting(w, k, false);
              break;
            }
          return stop(Stop::Spun);
        }
        break;
      case Op::Break:
      case Op::Return:
        jumpOut(i.b);
        active = 0;
        pc = i.imm;
        break;
      case Op::Switch:
        enter(Frame::Switch, i, active);
        p.frames.back().pcB = pc;
        active = 0;
        break;
      case Op::Case: {
        Frame& f = p.frames.back();
        const uint32_t come = f.pending & maskOf(reg<uint32_t>(w, i.a));
        f.pending &= ~come;
        f.pcB = i.imm;
        active |= come;
        if (!active) pc = i.imm;
        break;
      }
      case Op::Call: enter(Frame::Call, i, 0); break;
      case Op::Exit:
        w.live &= ~active;
        if (i.imm2) {
          w.fellOff |= active;
          p.state = Path::Done;
          active = 0;
          return stop(Stop::Done);
        }
        w.returned |= active;
        for (Frame& f : p.frames) f.keepOnly(~active);
        active = 0;
        pc = i.imm;
        break;

      case Op::BlockBarrier:
      case Op::BarrierVote:
        --pc;
        stop(Stop::Waiting);
        arriveAtBarrier(b, w, p);
        return Stop::Waiting;
      case Op::WarpSync:
        p.active = active;
        if (!warpSync(b, w, p, i)) {
          --pc;
          return stop(Stop::Waiting);
        }
        break;
      case Op::GridSync:
        p.state = Path::AtGrid;
        --pc;
        return stop(Stop::Waiting);
      case Op::Fence:
        if (launch.shadow && i.imm != int32_t(ir::SyncScope::Warp))
          b.shadow->fence(w.index, active, i.imm == int32_t(ir::SyncScope::Block));
        break;
      case Op::Printf: print(b, w, i, active); break;
      case Op::Assert: {
        const uint32_t failed = active & ~maskOf(reg<uint32_t>(w, i.a));
        if (failed) {
          fault(FindingKind::AssertFailed, b, w, uint32_t(pc - 1), failed,
                i.imm < 0 ? "what the compiler is told to assume does not hold"
                          : "assertion failed: " + program.formats[size_t(i.imm)]);
          launch.stop = true;
          return stop(Stop::Fatal);
        }
        break;
      }
      case Op::MarkUnset:
        if (i.imm2 == 0) {
          w.unset[size_t(i.imm)] |= active;
        } else if (w.localSet) {
          for (int32_t o = i.imm; o < i.imm + i.imm2; ++o)
            for (unsigned l = 0; l < warpLanes; ++l)
              if ((active >> l) & 1) {
                const size_t at = (size_t(o) / 4 * warpLanes + l) * 4 + size_t(o) % 4;
                w.localSet[at / 8] &= uint8_t(~(1u << (at % 8)));
              }
        }
        break;
      case Op::MarkSet: w.unset[size_t(i.imm)] &= ~active; break;
      case Op::CheckSet:
        if (const uint32_t bad = w.unset[size_t(i.imm)] & active; bad && launch.options.checkUninitialized)
          fault(FindingKind::Uninitialized, b, w, uint32_t(pc - 1), bad,
                "'" + program.variables[size_t(i.imm)] + "' is read before it has a value");
        break;
      default: __builtin_unreachable();  // every operation has its case: no check of the range
    }
  }
}

}  // namespace hone::sim
