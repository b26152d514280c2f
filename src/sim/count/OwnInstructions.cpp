#include "sim/count/OwnInstructions.h"

#include "sim/count/InstructionClass.h"
#include "sim/functions/PureFunctions.h"

namespace hone::sim {

double ownInstructions(const Program& program, uint32_t pc, const target::InstructionCounts& counts) {
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
    case Op::ShrU64: return counts.sum64;
    case Op::MulI64: return counts.product64;
    // Comparisons combine truth values on the way.
    case Op::And32:
    case Op::Or32: return instr.type == Scalar::Bool ? 0 : 1;
    case Op::DivF32: return counts.divideF32;
    case Op::DivF64: return counts.divideF64;
    case Op::DivI32:
    case Op::DivU32:
    case Op::RemI32:
    case Op::RemU32: return counts.divide32;
    case Op::DivI64:
    case Op::DivU64:
    case Op::RemI64:
    case Op::RemU64: return counts.divide64;
    case Op::CallPure: {
      const CallSite& call = program.calls[static_cast<size_t>(instr.imm)];
      const Scalar type = call.resultTypes.empty() ? Scalar::I32 : call.resultTypes[0];
      return costOf(call.function, type) == MathCost::Long ? counts.function : 1;
    }
    default: return 1;
  }
}

std::optional<Op> quotientOf(Op op) {
  switch (op) {
    case Op::RemI32: return Op::DivI32;
    case Op::RemU32: return Op::DivU32;
    case Op::RemI64: return Op::DivI64;
    case Op::RemU64: return Op::DivU64;
    default: return std::nullopt;
  }
}

std::optional<Op> remainderOf(Op op) {
  switch (op) {
    case Op::DivI32: return Op::RemI32;
    case Op::DivU32: return Op::RemU32;
    case Op::DivI64: return Op::RemI64;
    case Op::DivU64: return Op::RemU64;
    default: return std::nullopt;
  }
}

double divisionBy(int64_t divisor, Op op, const target::InstructionCounts& counts) {
  const bool isWide = op == Op::DivI64 || op == Op::DivU64 || op == Op::RemI64 || op == Op::RemU64;
  const bool isSigned = op == Op::DivI32 || op == Op::RemI32 || op == Op::DivI64 || op == Op::RemI64;
  const bool isPower = divisor > 0 && (divisor & (divisor - 1)) == 0;
  const double times = isWide ? counts.known64 : 1;
  if (isPower) return times * (isSigned ? counts.divideSignedByPower : counts.divideByPower);
  return times * (quotientOf(op) ? counts.remainderByNumber : counts.divideByNumber);
}

}  // namespace hone::sim
