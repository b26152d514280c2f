#include "sim/count/InstructionClass.h"

#include "sim/functions/PureFunctions.h"

namespace hone::sim {

namespace {

InstructionClass ofType(Scalar type) {
  if (type == Scalar::F64) return InstructionClass::Fp64;
  return isFloating(type) ? InstructionClass::Fp32 : InstructionClass::Integer;
}

const CallSite& callAt(const Program& program, const Instr& instr) {
  return program.calls[static_cast<size_t>(instr.imm)];
}

Scalar typeOf(const CallSite& call) {
  if (!call.resultTypes.empty()) return call.resultTypes[0];
  return call.argTypes.empty() ? Scalar::I32 : call.argTypes[0];
}

InstructionClass ofMemory(MemorySpace space) {
  if (space == MemorySpace::Shared) return InstructionClass::Shared;
  return space == MemorySpace::Local ? InstructionClass::Local : InstructionClass::Global;
}

}  // namespace

const char* str(InstructionClass cls) {
  switch (cls) {
    case InstructionClass::Fp32: return "32-bit float";
    case InstructionClass::Fp64: return "64-bit float";
    case InstructionClass::Integer: return "integer";
    case InstructionClass::Special: return "special function";
    case InstructionClass::Move: return "move";
    case InstructionClass::Control: return "control";
    case InstructionClass::Global: return "global memory";
    case InstructionClass::Shared: return "shared memory";
    case InstructionClass::Local: return "local memory";
    case InstructionClass::Exchange: return "exchange";
    case InstructionClass::Barrier: break;
  }
  return "barrier";
}

InstructionClass classOf(const Program& program, uint32_t pc) {
  const Instr& instr = program.code[pc];
  switch (instr.op) {
    case Op::Mov32:
    case Op::Mov64:
    case Op::Select32:
    case Op::Select64:
    case Op::MarkUnset:
    case Op::MarkSet:
    case Op::CheckSet:
    case Op::ThreadX:
    case Op::ThreadY:
    case Op::ThreadZ:
    case Op::BlockX:
    case Op::BlockY:
    case Op::BlockZ:
    case Op::LaneId:
    case Op::ThreadRank:
    case Op::ActiveMask:
    case Op::Clock: return InstructionClass::Move;
    case Op::AddF32:
    case Op::SubF32:
    case Op::MulF32:
    case Op::FmaF32:
    case Op::NegF32:
    case Op::DivF32:
    case Op::EqF32:
    case Op::NeF32:
    case Op::LtF32:
    case Op::LeF32:
    case Op::NonZeroF32:
    case Op::RoundF16:
    case Op::RoundBF16: return InstructionClass::Fp32;
    case Op::AddF64:
    case Op::SubF64:
    case Op::MulF64:
    case Op::FmaF64:
    case Op::NegF64:
    case Op::DivF64:
    case Op::EqF64:
    case Op::NeF64:
    case Op::LtF64:
    case Op::LeF64:
    case Op::NonZeroF64:
    case Op::RoundF64ToF16:
    case Op::RoundF64ToBF16: return InstructionClass::Fp64;
    // Conversions between integers and floats, and between floats, run on the special function units.
    case Op::I32ToF32:
    case Op::U32ToF32:
    case Op::I64ToF32:
    case Op::U64ToF32:
    case Op::I32ToF64:
    case Op::U32ToF64:
    case Op::I64ToF64:
    case Op::U64ToF64:
    case Op::F32ToF64:
    case Op::F64ToF32:
    case Op::F32ToI32:
    case Op::F32ToU32:
    case Op::F32ToI64:
    case Op::F32ToU64:
    case Op::F64ToI32:
    case Op::F64ToU32:
    case Op::F64ToI64:
    case Op::F64ToU64: return InstructionClass::Special;
    case Op::Load:
    case Op::Store:
    case Op::Atomic: return ofMemory(instr.space);
    case Op::CallPure: {
      const CallSite& call = callAt(program, instr);
      const Scalar type = typeOf(call);
      return costOf(call.function, type) == MathCost::Special ? InstructionClass::Special : ofType(type);
    }
    case Op::Exchange:
    case Op::BarrierVote: return InstructionClass::Exchange;
    case Op::CallMachine: return InstructionClass::Move;
    case Op::If:
    case Op::Else:
    case Op::EndIf:
    case Op::Loop:
    case Op::LoopTest:
    case Op::Continue:
    case Op::ContinueJoin:
    case Op::LoopBack:
    case Op::Break:
    case Op::LoopEnd:
    case Op::Switch:
    case Op::Case:
    case Op::SwitchEnd:
    case Op::Call:
    case Op::Return:
    case Op::CallEnd:
    case Op::CallSubroutine:
    case Op::SubroutineEnd:
    case Op::Exit:
    case Op::Printf:
    case Op::Assert: return InstructionClass::Control;
    case Op::BlockBarrier:
    case Op::WarpSync:
    case Op::GridSync:
    case Op::Fence: return InstructionClass::Barrier;
    default: return InstructionClass::Integer;
  }
}

}  // namespace hone::sim
