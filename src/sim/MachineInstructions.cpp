// What a compiler would make of the byte code, as far as it changes how many instructions run.
#include <algorithm>
#include <map>

#include "sim/InstructionClass.h"
#include "sim/PureFunctions.h"

namespace hone::sim {

namespace {

double ownInstructions(const Program& program, uint32_t pc) {
  const Instr& instr = program.code[pc];
  switch (instr.op) {
    // Copies vanish into registers; checks and joins exist only here.
    case Op::Mov32:
    case Op::Mov64:
    case Op::MarkUnset:
    case Op::MarkSet:
    case Op::CheckSet:
    case Op::Else:
    case Op::EndIf:
    case Op::Loop:
    case Op::ContinueJoin:
    case Op::LoopEnd:
    case Op::LoopBack:
    case Op::SwitchEnd:
    case Op::CallEnd:
    case Op::Call:
    case Op::I32ToI64:
    case Op::U32ToI64:
    case Op::I64ToI32:
    case Op::LogicalNot:
    case Op::NonZero32: return 0;
    case Op::AddI64:
    case Op::SubI64:
    case Op::And64:
    case Op::Or64:
    case Op::Xor64:
    case Op::Eq64:
    case Op::Ne64:
    case Op::LtI64:
    case Op::LtU64:
    case Op::LeI64:
    case Op::LeU64:
    case Op::Shl64:
    case Op::ShrI64:
    case Op::ShrU64: return 2;
    case Op::MulI64: return 4;
    case Op::DivF32: return 8;
    case Op::DivF64: return 10;
    case Op::DivI32:
    case Op::DivU32:
    case Op::RemI32:
    case Op::RemU32: return 18;
    case Op::DivI64:
    case Op::DivU64:
    case Op::RemI64:
    case Op::RemU64: return 70;
    case Op::CallPure: {
      const CallSite& call = program.calls[static_cast<size_t>(instr.imm)];
      return costOf(call.function, call.resultTypes.empty() ? Scalar::I32 : call.resultTypes[0]) ==
                     MathCost::Long
                 ? 20
                 : 1;
    }
    default: return 1;
  }
}

bool isPlain(Op op) { return op >= Op::Mov32 && op < Op::ThreadX; }  // arithmetic without memory or effects

// Registers an arithmetic instruction reads.
std::array<Reg, 3> sources(const Instr& i) { return {i.a, i.b, i.c}; }

bool reads(const Program& program, const Instr& i, Reg r) {
  const bool isMemory = i.op == Op::Load || i.op == Op::Store || i.op == Op::Atomic || i.op == Op::Lea;
  if (i.a == r || i.b == r || (!isMemory && i.c == r)) return true;
  if (i.op == Op::Store && i.dst == r) return true;
  if (i.op != Op::CallPure && i.op != Op::Exchange && i.op != Op::CallMachine) return false;
  const auto& args = program.calls[static_cast<size_t>(i.imm)].args;
  return std::find(args.begin(), args.end(), r) != args.end();
}

// The sum that takes a product (or another sum) as an operand of the same instruction: multiply-add, shift-add, add of three.
bool fuses(Op inner, Op outer) {
  switch (inner) {
    case Op::MulI32:
    case Op::Shl32:
    case Op::AddI32: return outer == Op::AddI32 || (inner != Op::Shl32 && outer == Op::SubI32);
    case Op::MulF32: return outer == Op::AddF32 || outer == Op::SubF32;
    case Op::MulF64: return outer == Op::AddF64 || outer == Op::SubF64;
    default: return false;
  }
}

class Weigher {
 public:
  explicit Weigher(const Program& p) : program(p), weight(p.code.size()) {}

  std::vector<double> run() {
    for (uint32_t pc = 0; pc < weight.size(); ++pc) weight[pc] = ownInstructions(program, pc);
    for (uint32_t pc = 0; pc < weight.size(); ++pc)
      if (weight[pc] > 0) fuse(pc);
    for (const auto& [begin, end] : loops()) hoist(begin, end);
    return weight;
  }

 private:
  const Program& program;
  std::vector<double> weight;
  std::vector<bool> isFused = std::vector<bool>(program.code.size());

  std::vector<std::pair<uint32_t, uint32_t>> loops() const {
    std::vector<std::pair<uint32_t, uint32_t>> out;
    std::vector<uint32_t> open;
    for (uint32_t pc = 0; pc < program.code.size(); ++pc) {
      if (program.code[pc].op == Op::Loop) open.push_back(pc);
      if (program.code[pc].op == Op::LoopEnd && !open.empty()) {
        out.emplace_back(open.back(), pc);
        open.pop_back();
      }
    }
    return out;
  }

  // A product whose only use is a sum in the same stretch of code runs with it.
  void fuse(uint32_t pc) {
    const Instr& inner = program.code[pc];
    const Instr* user = nullptr;
    uint32_t userAt = 0;
    for (uint32_t next = pc + 1; next < program.code.size(); ++next) {
      const Instr& i = program.code[next];
      if (i.op >= Op::If) break;
      if (reads(program, i, inner.dst)) {
        if (user) return;
        user = &i;
        userAt = next;
      }
      if (i.dst == inner.dst && i.op != Op::Store) break;
    }
    if (!user || !fuses(inner.op, user->op) || isFused[userAt]) return;
    weight[pc] = 0;
    isFused[userAt] = true;
  }

  // Arithmetic in a loop on values from outside of it runs once, before the loop.
  void hoist(uint32_t begin, uint32_t end) {
    std::map<Reg, unsigned> writers;
    for (uint32_t pc = begin; pc < end; ++pc) {
      const Instr& i = program.code[pc];
      if (i.dst != noReg && i.op != Op::Store) ++writers[i.dst];
      if (i.op == Op::CallPure || i.op == Op::Exchange || i.op == Op::CallMachine)
        for (Reg r : program.calls[static_cast<size_t>(i.imm)].results) ++writers[r];
    }
    std::map<Reg, uint32_t>
        invariant;  // register: the instruction that gives it the value it has from here on
    for (uint32_t pc = begin; pc < end; ++pc) {
      const Instr& i = program.code[pc];
      if (i.dst == noReg || i.op == Op::Store) continue;
      invariant.erase(i.dst);
      if (!isPlain(i.op)) continue;
      const auto all = sources(i);
      const bool isInvariant = std::all_of(all.begin(), all.end(), [&](Reg r) {
        return r == noReg || (r & uniformBank) || !writers.contains(r) || invariant.contains(r);
      });
      if (!isInvariant || std::find(all.begin(), all.end(), i.dst) != all.end()) continue;
      invariant[i.dst] = pc;
      weight[pc] = 0;
    }
  }
};

}  // namespace

std::vector<double> machineInstructions(const Program& program) { return Weigher(program).run(); }

}  // namespace hone::sim
