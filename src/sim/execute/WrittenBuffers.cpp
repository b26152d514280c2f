#include "sim/execute/WrittenBuffers.h"

#include "ir/intrinsics/Intrinsics.h"

namespace hone::sim {

namespace {

// A set of uniform registers that a value may derive from.
using Origin = uint64_t;
constexpr Origin onChip = Origin(1) << 63, anything = Origin(1) << 62;
constexpr size_t mostSources = 62;

bool isControl(Op op) {
  return (op >= Op::If && op <= Op::SubroutineEnd) || op == Op::BlockBarrier || op == Op::GridSync;
}

bool mayBePointer(Scalar s) { return s == Scalar::U64 || s == Scalar::I64; }

class Trace {
 public:
  explicit Trace(const Program& program)
      : program(program), everywhere(program.warpUnits + 2, 0), here(program.warpUnits + 2) {
    constants.resize(program.uniformUnits + 2);
    for (const Constant& c : program.constants) constants[c.reg & ~uniformBank] = true;
  }

  WrittenPointers run() {
    do {
      changed = false;
      ++stretch;
      written = 0;
      for (const Instr& i : program.code) step(i);
    } while (changed);
    WrittenPointers result;
    result.known = !(written & anything);
    if (result.known)
      for (size_t k = 0; k < sources.size(); ++k)
        if ((written >> k) & 1) result.sources.push_back(sources[k]);
    return result;
  }

 private:
  const Program& program;
  std::vector<Reg> sources;
  std::vector<bool> constants;
  std::vector<Origin> everywhere;  // by register: of all its values
  struct Latest {
    uint32_t stretch = 0;
    Origin origin = 0;
  };
  std::vector<Latest> here;  // by register: of the one given since the last branch or join
  uint32_t stretch = 0;
  Origin written = 0;
  bool changed = false;

  Origin of(Reg r) {
    if (r == noReg) return 0;
    if (r & uniformBank) {
      if (constants[r & ~uniformBank]) return 0;
      for (size_t k = 0; k < sources.size(); ++k)
        if (sources[k] == r) return Origin(1) << k;
      if (sources.size() == mostSources) return anything;
      sources.push_back(r);
      return Origin(1) << (sources.size() - 1);
    }
    return here[r].stretch == stretch ? here[r].origin : everywhere[r];
  }

  void give(Reg r, Origin origin) {
    if (r == noReg || (r & uniformBank)) return;
    here[r] = {stretch, origin};
    if (origin & ~everywhere[r]) {
      everywhere[r] |= origin;
      changed = true;
    }
  }

  void write(Reg pointer) {
    const Origin o = of(pointer);
    written |= o ? o : anything;
  }

  void step(const Instr& i) {
    if (isControl(i.op)) ++stretch;
    switch (i.op) {
      case Op::Mov64:
      case Op::Not64:
      case Op::NegI64: give(i.dst, of(i.a)); break;
      case Op::AddI64:
      case Op::SubI64:
      case Op::MulI64:
      case Op::And64:
      case Op::Or64:
      case Op::Xor64: give(i.dst, of(i.a) | of(i.b)); break;
      case Op::Select64: give(i.dst, of(i.b) | of(i.c)); break;
      case Op::Lea: give(i.dst, i.a == noReg ? onChip : of(i.a)); break;
      case Op::FrameAddress: give(i.dst, onChip); break;
      case Op::Load:
        if (isWide(i.type))
          for (unsigned k = 0; k < i.count; ++k)
            give(Reg(i.dst + 2 * k), i.type == Scalar::U64 ? anything : 0);
        break;
      case Op::Store:
        if (i.a != noReg) write(i.a);
        break;
      case Op::Atomic:
        write(i.a);
        if (isWide(i.type)) give(i.dst, i.type == Scalar::U64 ? anything : 0);
        break;
      case Op::CallPure:
      case Op::Exchange:
      case Op::CallMachine:
      case Op::BarrierVote: {
        const CallSite& site = program.calls[size_t(i.imm)];
        for (size_t k = 0; k < site.results.size(); ++k)
          if (isWide(site.resultTypes[k]))
            give(site.results[k], mayBePointer(site.resultTypes[k]) ? anything : 0);
        if (i.op != Op::CallMachine) break;
        if (site.function == "memcpy" || site.function == "memset")
          write(site.args[0]);
        else if (const ir::Intrinsic* fn = ir::findIntrinsicById(site.function);
                 fn && fn->traits.texture.kind == ir::TextureKind::SurfaceWrite)
          written |= anything;
        break;
      }
      default:
        // Whatever else gives 64 bits computes no address.
        if (i.dst != noReg && !(i.dst & uniformBank)) here[i.dst] = {stretch, 0};
    }
  }
};

}  // namespace

WrittenPointers findWritten(const Program& program) { return Trace(program).run(); }

}  // namespace hone::sim
