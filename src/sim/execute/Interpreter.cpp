// The run loop: one instruction at a time over the lanes of a warp.
#include <bit>
#include <cmath>
#include <cstring>

#include "sim/execute/Executor.h"
#include "sim/execute/LaneLoops.h"

namespace hone::sim {

namespace {

constexpr uint32_t iterationsBeforeSplit =
    100;  // of a loop that may wait, before those that left it go ahead

}  // namespace

Executor::Stop Executor::runPath(BlockRun& b, Warp& w, Path& p, uint64_t budget) {
  if (launch.profiler) return interpret<Noting::Counts>(b, w, p, budget);
  if (launch.options.executed) return interpret<Noting::Executed>(b, w, p, budget);
  return interpret<Noting::Nothing>(b, w, p, budget);
}

// clang-format off
#define UNARY(op, D, A, expr) \
  case uint16_t(Op::op): { const A* a = registers.at<A>(i.a); lanes(registers.at<D>(i.dst), active, [&](unsigned l) { const A x = a[l]; return D(expr); }); break; }
#define BINARY(op, D, A, expr) \
  case uint16_t(Op::op): { const A* a = registers.at<A>(i.a); const A* c = registers.at<A>(i.b); \
    lanes(registers.at<D>(i.dst), active, [&](unsigned l) { const A x = a[l], y = c[l]; return D(expr); }); break; }
#define SHIFT(op, D, expr) \
  case uint16_t(Op::op): { const D* a = registers.at<D>(i.a); const uint32_t* c = registers.at<uint32_t>(i.b); \
    lanes(registers.at<D>(i.dst), active, [&](unsigned l) { const D x = a[l]; const uint32_t y = c[l]; return D(expr); }); break; }
// A lane that divides by zero is reported and gets all bits set, as the machine gives.
#define DIVIDE(op, T, expr) \
  case uint16_t(Op::op): { const T* a = registers.at<T>(i.a); const T* c = registers.at<T>(i.b); auto* d = registers.at<T>(i.dst); uint32_t zero = 0; \
    for (unsigned l = 0; l < warpLanes; ++l) if ((active >> l) & 1) { const T x = a[l], y = c[l]; \
      if (y == 0) { zero |= 1u << l; d[l] = T(-1); } else d[l] = T(expr); } \
    if (zero) fault(FindingKind::DivideByZero, b, w, uint32_t(pc - 1), zero, "integer division by zero"); break; }
// By a divisor that is the same for the whole launch: one multiplication a lane. Else in double, which is exact.
#define DIVIDE32(op, T, expr, quick) \
  case uint16_t(Op::op): { const T* a = registers.at<T>(i.a); const T* c = registers.at<T>(i.b); auto* d = registers.at<T>(i.dst); \
    if (i.b & uniformBank) { const T divisor = c[0]; \
      if (const Reciprocal by(divisor < T(1) ? 0u : uint32_t(divisor)); by.useful()) { \
        lanes(d, active, [&](unsigned l) { const T x = a[l]; return T(quick); }); break; } } \
    const uint32_t zero = active & maskWhere(c, c, [](T y, T) { return y == 0; }); \
    lanes(d, active, [&](unsigned l) { const T x = a[l], y = c[l]; return y == 0 ? T(-1) : T(expr); }); \
    if (zero) fault(FindingKind::DivideByZero, b, w, uint32_t(pc - 1), zero, "integer division by zero"); break; }
// clang-format on

template <Executor::Noting noting>
Executor::Stop Executor::interpret(BlockRun& b, Warp& w, Path& p, uint64_t budget) {
  const Instr* const code = program.code.data();
  const Step *const single = launch.steps->single.data(), *const some = launch.steps->some.data(),
                    *const all = launch.steps->all.data();
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
  // The last instruction of the step, for what a step does not hold.
  const auto o = [&]() -> const Instr& { return code[pc - 1]; };
  const auto enter = [&](Frame::Kind kind, const Instr& i, uint32_t pending) {
    p.frames.push_back({.kind = kind, .saved = active, .pending = pending, .pcA = i.imm, .pcB = i.imm2});
  };
  const auto leaveFrame = [&](int32_t next) {
    active = p.frames.back().saved;
    p.frames.pop_back();
    if (!active) pc = next;
  };
  // Lanes go to the end of the frame that stands so many around the innermost: out of every frame inside it.
  const auto jumpOut = [&](size_t around) -> Frame& {
    const size_t target = p.frames.size() - 1 - around;
    for (size_t f = p.frames.size(); f-- > target + 1;) p.frames[f].keepOnly(~active);
    return p.frames[target];
  };
  const auto branch = [&](uint32_t holds) {
    const uint32_t taken = active & holds;
    enter(Frame::If, o(), active & ~taken);
    active = taken;
    if (!active) pc = o().imm;
  };
  const auto loopTest = [&](uint32_t holds) {
    active &= holds;
    if (!active) pc = o().imm;
  };
  const RegisterFile registers{w.registers};
  for (;;) {
    const Step* step = single + pc;
    if (noting == Noting::Nothing && left >= Steps::mostCovered)
      step = (active == allLanes ? all : some) + pc;
    else if (left == 0)
      return stop(Stop::Budget);
    const Step& i = *step;
    if constexpr (noting == Noting::Executed) cameBy[pc] = 1;
    if constexpr (Counting) {
      counts[pc].warps++;
      counts[pc].lanes += active == allLanes ? warpLanes : unsigned(std::popcount(active));
    }
    left -= i.covers;
    pc += i.covers;
    switch (i.op) {
      case uint16_t(Op::Mov32):
        moveLanes(registers.at<uint32_t>(i.dst), registers.at<uint32_t>(i.a), active);
        break;
      case uint16_t(Op::Mov64):
        moveLanes(registers.at<uint64_t>(i.dst), registers.at<uint64_t>(i.a), active);
        break;
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
        DIVIDE32(DivI32, int32_t, quotient(x, y), by.divide(x))
        DIVIDE32(DivU32, uint32_t, quotient(x, y), by.divide(x))
        DIVIDE(DivI64, int64_t, y == -1 ? int64_t(0ull - uint64_t(x)) : x / y)
        DIVIDE(DivU64, uint64_t, x / y)
        DIVIDE32(RemI32, int32_t, uint32_t(x) - uint32_t(quotient(x, y)) * uint32_t(y),
                 x - by.divide(x) * int32_t(by.divisor))
        DIVIDE32(RemU32, uint32_t, x - quotient(x, y) * y, x - by.divide(x) * by.divisor)
        DIVIDE(RemI64, int64_t, y == -1 ? 0 : x % y)
        DIVIDE(RemU64, uint64_t, x % y)
      case uint16_t(Op::FmaF32): {
        const float *a = registers.at<float>(i.a), *c = registers.at<float>(i.b),
                    *e = registers.at<float>(i.c);
        lanes(registers.at<float>(i.dst), active, [&](unsigned l) { return std::fma(a[l], c[l], e[l]); });
        break;
      }
      case uint16_t(Op::FmaF64): {
        const double *a = registers.at<double>(i.a), *c = registers.at<double>(i.b),
                     *e = registers.at<double>(i.c);
        lanes(registers.at<double>(i.dst), active, [&](unsigned l) { return std::fma(a[l], c[l], e[l]); });
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
      case uint16_t(Op::Select32): {
        const uint32_t *is = registers.at<uint32_t>(i.a), *yes = registers.at<uint32_t>(i.b),
                       *no = registers.at<uint32_t>(i.c);
        lanes(registers.at<uint32_t>(i.dst), active, [&](unsigned l) { return is[l] ? yes[l] : no[l]; });
        break;
      }
      case uint16_t(Op::Select64): {
        const uint32_t* is = registers.at<uint32_t>(i.a);
        const uint64_t *yes = registers.at<uint64_t>(i.b), *no = registers.at<uint64_t>(i.c);
        lanes(registers.at<uint64_t>(i.dst), active, [&](unsigned l) { return is[l] ? yes[l] : no[l]; });
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

      case uint16_t(Op::ThreadX):
      case uint16_t(Op::ThreadY):
      case uint16_t(Op::ThreadZ): {
        const uint32_t* const index =
            launch.threadIndex[size_t(i.op) - size_t(Op::ThreadX)].data() + size_t(w.index) * warpLanes;
        lanes(registers.at<uint32_t>(i.dst), active, [&](unsigned l) { return index[l]; });
        break;
      }
      case uint16_t(Op::BlockX):
        lanes(registers.at<uint32_t>(i.dst), active, [&](unsigned) { return b.index[0]; });
        break;
      case uint16_t(Op::BlockY):
        lanes(registers.at<uint32_t>(i.dst), active, [&](unsigned) { return b.index[1]; });
        break;
      case uint16_t(Op::BlockZ):
        lanes(registers.at<uint32_t>(i.dst), active, [&](unsigned) { return b.index[2]; });
        break;
      case uint16_t(Op::LaneId):
        lanes(registers.at<uint32_t>(i.dst), active, [&](unsigned l) { return l; });
        break;
      case uint16_t(Op::ThreadRank):
        lanes(registers.at<uint32_t>(i.dst), active, [&](unsigned l) { return w.index * warpLanes + l; });
        break;
      case uint16_t(Op::ActiveMask):
        lanes(registers.at<uint32_t>(i.dst), active, [&](unsigned) { return active; });
        break;
      case uint16_t(Op::TileMask): {
        const unsigned size = unsigned(i.imm);
        const uint32_t tile = size == 32 ? allLanes : (1u << size) - 1;
        lanes(registers.at<uint32_t>(i.dst), active,
              [&](unsigned l) { return (tile << (l / size * size)) & w.initial; });
        break;
      }
      case uint16_t(Op::Clock): {
        const uint64_t now = w.steps + (budget - left);
        lanes(registers.at<uint64_t>(i.dst), active, [&](unsigned) { return now; });
        break;
      }

      case uint16_t(Op::Lea): {
        uint64_t address[warpLanes];
        addresses(w, o(), address);
        const uint64_t window = o().a != noReg                     ? 0
                                : o().space == MemorySpace::Shared ? sharedWindow
                                                                   : localWindow;
        lanes(registers.at<uint64_t>(i.dst), active, [&](unsigned l) { return address[l] + window; });
        break;
      }
      case uint16_t(Op::Load): load(b, w, o(), uint32_t(pc - 1), active); break;
      case uint16_t(Op::Store): store(b, w, o(), uint32_t(pc - 1), active); break;
      case uint16_t(Op::Atomic): atomic(b, w, o(), uint32_t(pc - 1), active); break;

      case uint16_t(Op::CallPure): {
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
      case uint16_t(Op::Exchange):
        p.active = active;
        if (!exchange(b, w, p, o())) {
          --pc;
          return stop(Stop::Waiting);
        }
        break;
      case uint16_t(Op::CallMachine):
        callMachine(b, w, o(), uint32_t(pc - 1), active);
        if (launch.stop) return stop(Stop::Fatal);
        break;

      case uint16_t(Op::If): {
        branch(maskOf(registers.at<uint32_t>(i.a)));
        break;
      }
      case uint16_t(Op::Else): {
        Frame& f = p.frames.back();
        active = f.pending;
        f.pending = 0;
        f.inElse = true;
        f.pcA = f.pcB;
        if (!active) pc = i.imm;
        break;
      }
      case uint16_t(Op::EndIf):
      case uint16_t(Op::LoopEnd):
      case uint16_t(Op::SwitchEnd):
      case uint16_t(Op::CallEnd): leaveFrame(i.imm); break;
      case uint16_t(Op::Loop):
        enter(Frame::Loop, o(), 0);
        if (o().count) p.iterations = 0;
        break;
      case uint16_t(Op::LoopTest): loopTest(maskOf(registers.at<uint32_t>(i.a))); break;
      case uint16_t(Op::Continue): {
        jumpOut(o().b).cont |= active;
        active = 0;
        pc = i.imm;
        break;
      }
      case uint16_t(Op::ContinueJoin): {
        Frame& f = p.frames.back();
        active |= f.cont;
        f.cont = 0;
        if (!active) pc = i.imm;
        break;
      }
      case uint16_t(Op::LoopBack):
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
      case uint16_t(Op::Break):
      case uint16_t(Op::Return):
        jumpOut(o().b);
        active = 0;
        pc = i.imm;
        break;
      case uint16_t(Op::Switch):
        enter(Frame::Switch, o(), active);
        p.frames.back().pcB = pc;
        active = 0;
        break;
      case uint16_t(Op::Case): {
        Frame& f = p.frames.back();
        const uint32_t come = f.pending & maskOf(registers.at<uint32_t>(i.a));
        f.pending &= ~come;
        f.pcB = i.imm;
        active |= come;
        if (!active) pc = i.imm;
        break;
      }
      case uint16_t(Op::Call): enter(Frame::Call, o(), 0); break;
      case uint16_t(Op::CallSubroutine): {
        if (!enterSubroutine(b, w, uint32_t(pc - 1), active)) return stop(Stop::Fatal);
        const Subroutine& called = program.subroutines[program.subroutineCalls[size_t(o().imm2)].subroutine];
        p.frames.push_back({.kind = Frame::Call, .saved = active, .pcA = called.end, .pcB = pc - 1});
        pc = called.begin;
        break;
      }
      case uint16_t(Op::SubroutineEnd): {
        const int32_t call = p.frames.back().pcB;
        active = p.frames.back().saved;
        p.frames.pop_back();
        leaveSubroutine(w, program.subroutineCalls[size_t(code[call].imm2)], active);
        pc = active ? call + 1 : code[call].imm;
        break;
      }
      case uint16_t(Op::FrameAddress):
        lanes(registers.at<uint64_t>(i.dst), active,
              [&](unsigned l) { return localWindow + w.stacks->base[l]; });
        break;
      case uint16_t(Op::Exit):
        w.live &= ~active;
        if (o().imm2) {
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

      case uint16_t(Op::BlockBarrier):
      case uint16_t(Op::BarrierVote):
        --pc;
        stop(Stop::Waiting);
        arriveAtBarrier(b, w, p);
        return Stop::Waiting;
      case uint16_t(Op::WarpSync):
        p.active = active;
        if (!warpSync(b, w, p, o())) {
          --pc;
          return stop(Stop::Waiting);
        }
        break;
      case uint16_t(Op::GridSync):
        p.state = Path::AtGrid;
        --pc;
        return stop(Stop::Waiting);
      case uint16_t(Op::Fence):
        if (launch.shadow && i.imm != int32_t(ir::SyncScope::Warp))
          b.shadow->fence(w.index, active, i.imm == int32_t(ir::SyncScope::Block));
        break;
      case uint16_t(Op::Printf): print(b, w, o(), uint32_t(pc - 1), active); break;
      case uint16_t(Op::Assert): {
        const uint32_t failed = active & ~maskOf(registers.at<uint32_t>(i.a));
        if (failed) {
          fault(FindingKind::AssertFailed, b, w, uint32_t(pc - 1), failed,
                i.imm < 0 ? "what the compiler is told to assume does not hold"
                          : "assertion failed: " + program.formats[size_t(i.imm)]);
          launch.stop = true;
          return stop(Stop::Fatal);
        }
        break;
      }
      case uint16_t(Op::MarkUnset):
        if (o().imm2 == 0) {
          w.unset[size_t(i.imm)] |= active;
        } else if (w.localSet) {
          if (o().a == noReg)
            forgetLocal(w, uint32_t(i.imm), uint32_t(o().imm2), active);
          else
            forgetInFrames(w, uint32_t(i.imm), uint32_t(o().imm2), active);
        }
        break;
      case uint16_t(Op::MarkSet): w.unset[size_t(i.imm)] &= ~active; break;
      case uint16_t(Op::CheckSet):
        if (const uint32_t bad = w.unset[size_t(i.imm)] & active; bad && launch.options.checkUninitialized)
          fault(FindingKind::Uninitialized, b, w, uint32_t(pc - 1), bad,
                "'" + program.variables[size_t(i.imm)] + "' is read before it has a value");
        break;
#include "sim/execute/FusedSteps.inc"
      default: __builtin_unreachable();  // every operation has its case: no check of the range
    }
  }
}

}  // namespace hone::sim
