#include "sim/bytecode/Program.h"

#include <fmt/format.h>

namespace hone::sim {

const char* str(Scalar s) {
  static const char* const names[] = {"bool", "i8",  "u8",  "i16",  "u16", "i32", "u32",
                                      "i64",  "u64", "f16", "bf16", "f32", "f64"};
  return names[size_t(s)];
}

const char* str(Op op) {
  static const char* const names[] = {
#define X(name) #name,
      HONE_SIM_OPS(X)
#undef X
  };
  return names[size_t(op)];
}

namespace {

std::string regText(Reg r) {
  if (r == noReg) return "-";
  return r & uniformBank ? fmt::format("u{}", r & ~uniformBank) : fmt::format("r{}", r);
}

bool isMemory(Op op) { return op == Op::Load || op == Op::Store || op == Op::Lea; }

}  // namespace

std::string dump(const Program& p) {
  static const char* const spaces[] = {"generic", "global", "shared", "local", "constant"};
  std::string text = fmt::format("program {} registers {} uniform {} shared {} local {}\n", p.kernel,
                                 p.warpUnits, p.uniformUnits, p.staticShared, p.localBytes);
  for (const Constant& c : p.constants)
    text += fmt::format("  {} = {} {:#x}\n", regText(c.reg), str(c.type), c.bits);
  for (size_t pc = 0; pc < p.code.size(); ++pc) {
    const Instr& i = p.code[pc];
    text += fmt::format("{:5} {:<14}", pc, str(i.op));
    if (isMemory(i.op)) {
      text += fmt::format("{} {} x{} {} [{} + {} * {} + {}]", spaces[size_t(i.space)], str(i.type), i.count,
                          regText(i.dst), regText(i.a), regText(i.b), i.c, i.imm);
    } else {
      text += fmt::format("{} {} {} {}", regText(i.dst), regText(i.a), regText(i.b), regText(i.c));
      if (i.imm || i.imm2) text += fmt::format(" {} {}", i.imm, i.imm2);
      if (i.op == Op::CallPure || i.op == Op::Exchange || i.op == Op::CallMachine || i.op == Op::BarrierVote)
        text += " " + p.calls[size_t(i.imm)].function;
    }
    const Location l = p.at(uint32_t(pc));
    if (l.line) text += fmt::format("   ; {}", l.line);
    text += "\n";
  }
  return text;
}

}  // namespace hone::sim
