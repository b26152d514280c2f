#include "sim/bytecode/Steps.h"

#include <mutex>
#include <optional>

namespace hone::sim {

namespace {

bool partsCode(Op op) {
  return (op >= Op::If && op <= Op::SubroutineEnd) || op == Op::BlockBarrier || op == Op::BarrierVote ||
         op == Op::WarpSync || op == Op::GridSync;
}

bool usesCallSite(Op op) {
  return op == Op::CallPure || op == Op::Exchange || op == Op::CallMachine || op == Op::BarrierVote ||
         op == Op::Printf;
}

bool hasAddress(Op op) { return op == Op::Load || op == Op::Store || op == Op::Atomic || op == Op::Lea; }

template <class F> void eachElement(const Instr& i, F&& f) {
  const unsigned count = i.op == Op::Load || i.op == Op::Store ? i.count : 1;
  for (unsigned k = 0; k < count; ++k) f(Reg(i.dst + k * registerUnits(i.type)));
}

template <class F> void eachRead(const Program& program, const Instr& i, F&& read) {
  if (usesCallSite(i.op))
    for (Reg r : program.calls[size_t(i.imm)].args) read(r);
  const bool isJump = i.op == Op::Continue || i.op == Op::Break || i.op == Op::Return;
  if (isJump) return;
  read(i.a);
  if (i.op == Op::Store) eachElement(i, read);
  if (!hasAddress(i.op) || i.op == Op::Atomic || i.index != IndexKind::None) read(i.b);
  if (!hasAddress(i.op) || i.op == Op::Atomic) read(i.c);
}

// What surely has a new value afterwards in every active lane; others may write too.
template <class F> void eachWrite(const Program& program, const Instr& i, F&& written) {
  if (i.op == Op::CallPure) {
    for (Reg r : program.calls[size_t(i.imm)].results) written(r);
  } else if (!usesCallSite(i.op) && i.op != Op::Store && i.op != Op::Atomic) {
    eachElement(i, written);
  }
}

// All operands and the result take 4 bytes a lane.
bool isNarrow(Op op) {
  switch (op) {
    case Op::Mov32:
    case Op::AddI32:
    case Op::AddF32:
    case Op::SubI32:
    case Op::SubF32:
    case Op::MulI32:
    case Op::MulF32:
    case Op::DivF32:
    case Op::FmaF32:
    case Op::NegI32:
    case Op::NegF32:
    case Op::And32:
    case Op::Or32:
    case Op::Xor32:
    case Op::Not32:
    case Op::LogicalNot:
    case Op::Shl32:
    case Op::ShrI32:
    case Op::ShrU32:
    case Op::Eq32:
    case Op::EqF32:
    case Op::Ne32:
    case Op::NeF32:
    case Op::LtI32:
    case Op::LtU32:
    case Op::LtF32:
    case Op::LeI32:
    case Op::LeU32:
    case Op::LeF32:
    case Op::Select32:
    case Op::ExtendI8:
    case Op::ExtendU8:
    case Op::ExtendI16:
    case Op::ExtendU16:
    case Op::RoundF16:
    case Op::RoundBF16:
    case Op::I32ToF32:
    case Op::U32ToF32:
    case Op::F32ToI32:
    case Op::F32ToU32:
    case Op::NonZero32:
    case Op::NonZeroF32:
    case Op::ThreadX:
    case Op::ThreadY:
    case Op::ThreadZ:
    case Op::BlockX:
    case Op::BlockY:
    case Op::BlockZ:
    case Op::LaneId: return true;
    default: return false;
  }
}

// All take 8.
bool isWide(Op op) {
  switch (op) {
    case Op::Mov64:
    case Op::AddI64:
    case Op::AddF64:
    case Op::SubI64:
    case Op::SubF64:
    case Op::MulI64:
    case Op::MulF64:
    case Op::DivF64:
    case Op::FmaF64:
    case Op::NegI64:
    case Op::NegF64:
    case Op::And64:
    case Op::Or64:
    case Op::Xor64:
    case Op::Not64: return true;
    default: return false;
  }
}

struct TypedPart {
  StepType type;
  Part part;
};

std::optional<TypedPart> partOf(Op op) {
  switch (op) {
    case Op::AddI32: return TypedPart{StepType::I32, Part::Add};
    case Op::MulI32: return TypedPart{StepType::I32, Part::Multiply};
    case Op::SubI32: return TypedPart{StepType::I32, Part::Subtract};
    case Op::And32: return TypedPart{StepType::I32, Part::And};
    case Op::Or32: return TypedPart{StepType::I32, Part::Or};
    case Op::Xor32: return TypedPart{StepType::I32, Part::Xor};
    case Op::Shl32: return TypedPart{StepType::I32, Part::ShiftLeft};
    case Op::ShrU32: return TypedPart{StepType::I32, Part::ShiftRight};
    case Op::Not32: return TypedPart{StepType::I32, Part::Not};
    case Op::AddI64: return TypedPart{StepType::I64, Part::Add};
    case Op::SubI64: return TypedPart{StepType::I64, Part::Subtract};
    case Op::And64: return TypedPart{StepType::I64, Part::And};
    case Op::Or64: return TypedPart{StepType::I64, Part::Or};
    case Op::Xor64: return TypedPart{StepType::I64, Part::Xor};
    case Op::Not64: return TypedPart{StepType::I64, Part::Not};
    case Op::Shl64: return TypedPart{StepType::I64, Part::ShiftLeft};
    case Op::ShrU64: return TypedPart{StepType::I64, Part::ShiftRight};
    case Op::AddF32: return TypedPart{StepType::F32, Part::Add};
    case Op::MulF32: return TypedPart{StepType::F32, Part::Multiply};
    case Op::SubF32: return TypedPart{StepType::F32, Part::Subtract};
    case Op::AddF64: return TypedPart{StepType::F64, Part::Add};
    case Op::MulF64: return TypedPart{StepType::F64, Part::Multiply};
    case Op::SubF64: return TypedPart{StepType::F64, Part::Subtract};
    default: return std::nullopt;
  }
}

std::optional<Comparison32> comparisonOf(Op op) {
  switch (op) {
    case Op::Eq32: return Comparison32::Eq32;
    case Op::Ne32: return Comparison32::Ne32;
    case Op::LtI32: return Comparison32::LtI32;
    case Op::LtU32: return Comparison32::LtU32;
    case Op::LeI32: return Comparison32::LeI32;
    case Op::LeU32: return Comparison32::LeU32;
    case Op::EqF32: return Comparison32::EqF32;
    case Op::NeF32: return Comparison32::NeF32;
    case Op::LtF32: return Comparison32::LtF32;
    case Op::LeF32: return Comparison32::LeF32;
    default: return std::nullopt;
  }
}

bool isShift(Part part) { return part == Part::ShiftLeft || part == Part::ShiftRight; }

class StepMaker {
 public:
  explicit StepMaker(const Program& p)
      : program(p), code(p.code), begins(p.code.size() + 1), crosses(size_t(p.warpUnits) + 2) {
    findStretches();
    findCrossing();
    shiftOf.resize(size_t(p.uniformUnits) + 2, -1);
    for (const Constant& c : p.constants)
      if (c.bits < 32) shiftOf[c.reg & ~uniformBank] = int32_t(c.bits);
  }

  Steps run() {
    Steps steps;
    for (size_t pc = 0; pc < code.size(); ++pc) {
      const Step one = single(code[pc]);
      const Step constant = withConstant(pc, one);
      const std::optional<Step> next = iteration(pc);
      const Step some = next ? *next : withMove(pc, withBranch(pc, constant));
      steps.single.push_back(one);
      steps.some.push_back(some);
      const std::optional<Step> pair = rotation(pc) ? rotation(pc) : pairOf(pc, one);
      steps.all.push_back(pair ? withMove(pc, *pair) : some);
    }
    return steps;
  }

 private:
  const Program& program;
  const std::vector<Instr>& code;
  std::vector<bool> begins;      // a stretch of code that is entered at its first instruction only
  std::vector<bool> crosses;     // by register: some stretch reads what another left in it
  std::vector<int32_t> shiftOf;  // by uniform register: the constant, -1 where it is no shift

  void findStretches() {
    const auto begin = [&](int64_t pc) {
      if (pc >= 0 && size_t(pc) < begins.size()) begins[size_t(pc)] = true;
    };
    begin(0);
    for (const Subroutine& one : program.subroutines) begin(one.begin), begin(one.end);
    for (size_t pc = 0; pc < code.size(); ++pc) {
      if (!partsCode(code[pc].op)) continue;
      begin(int64_t(pc) + 1);
      begin(code[pc].imm);
      begin(code[pc].imm2);
    }
  }

  bool isFollowed(Reg r) const { return r != noReg && !(r & uniformBank) && r < crosses.size(); }

  void findCrossing() {
    std::vector<uint32_t> writtenIn(crosses.size(), 0);
    uint32_t stretch = 0;
    for (size_t pc = 0; pc < code.size(); ++pc) {
      if (begins[pc]) ++stretch;
      eachRead(program, code[pc], [&](Reg r) {
        if (isFollowed(r) && writtenIn[r] != stretch) crosses[r] = true;
      });
      eachWrite(program, code[pc], [&](Reg r) {
        if (isFollowed(r)) writtenIn[r] = stretch;
      });
    }
  }

  // Nobody reads after this instruction what the register holds then.
  bool isDeadAfter(size_t pc, Reg r) const {
    if (!isFollowed(r)) return false;
    if (writes(pc, r)) return true;
    for (size_t k = pc + 1; k < code.size() && !begins[k]; ++k) {
      bool isRead = false;
      eachRead(program, code[k], [&](Reg other) { isRead |= other == r; });
      if (isRead) return false;
      if (writes(k, r)) return true;
    }
    return !crosses[r];
  }

  bool writes(size_t pc, Reg r) const {
    bool is = false;
    eachWrite(program, code[pc], [&](Reg other) { is |= other == r; });
    return is;
  }

  int16_t place(Reg r) const {
    if (r == noReg || !(r & uniformBank)) return int16_t(r);
    return int16_t(int(r & ~uniformBank) - int(Steps::uniformUnits(program)));
  }

  // Places of memory instructions and jumps are not asked for: theirs come from the instruction itself.
  Step single(const Instr& i) const {
    return {uint16_t(i.op), 1, place(i.dst), place(i.a), place(i.b), place(i.c), i.imm};
  }

  int32_t constantShift(Reg r) const {
    return r != noReg && (r & uniformBank) ? shiftOf[r & ~uniformBank] : -1;
  }

  Step withConstant(size_t pc, Step step) const {
    const Instr& i = code[pc];
    const int32_t by = constantShift(i.b);
    if (by < 0) return step;
    if (i.op == Op::Shl32) step.op = shiftLeftBy;
    if (i.op == Op::ShrU32) step.op = shiftRightBy;
    if (i.op == Op::ShrI32) step.op = shiftRightSignedBy;
    if (step.op >= shiftLeftBy) step.imm = by;
    return step;
  }

  // The end of a counted loop that waits for nobody.
  std::optional<Step> iteration(size_t pc) const {
    if (pc + 2 >= code.size() || code[pc].op != Op::ContinueJoin) return std::nullopt;
    const Instr &add = code[pc + 1], &back = code[pc + 2];
    if (add.op != Op::AddI32 || back.op != Op::LoopBack || back.imm <= 0) return std::nullopt;
    const Instr& loop = code[size_t(back.imm) - 1];
    if (loop.op != Op::Loop || loop.count) return std::nullopt;
    return Step{nextIteration, 3, place(add.dst), place(add.a), place(add.b), -1, back.imm};
  }

  bool isNext(size_t pc) const { return pc < code.size() && !begins[pc]; }

  Step withBranch(size_t pc, Step step) const {
    const std::optional<Comparison32> comparison = comparisonOf(code[pc].op);
    if (!comparison || !isNext(pc + 1)) return step;
    const Instr& next = code[pc + 1];
    const bool isTest = next.op == Op::If || next.op == Op::LoopTest;
    if (!isTest || next.a != code[pc].dst || !isFollowed(next.a) || crosses[next.a]) return step;
    step.op = branchStep(*comparison, next.op == Op::LoopTest);
    step.covers = 2;
    return step;
  }

  // A result that is only moved goes where it is moved to at once.
  Step withMove(size_t pc, Step step) const {
    const size_t last = pc + step.covers - 1;
    if (!isNext(last + 1) || step.covers == Steps::mostCovered) return step;
    const Instr &i = code[last], &move = code[last + 1];
    const bool fits = (move.op == Op::Mov32 && isNarrow(i.op)) || (move.op == Op::Mov64 && isWide(i.op));
    if (!fits || move.a != i.dst || !isDeadAfter(last + 1, i.dst)) return step;
    if (move.op == Op::Mov64 && overlaps(pc, last, move.dst)) return step;
    step.dst = place(move.dst);
    ++step.covers;
    return step;
  }

  // Whether a register of 8 bytes a lane lies half in one that these instructions read.
  bool overlaps(size_t from, size_t to, Reg wide) const {
    bool is = false;
    for (size_t pc = from; pc <= to; ++pc)
      eachRead(program, code[pc], [&](Reg r) { is |= isFollowed(r) && (r + 1 == wide || wide + 1 == r); });
    return is;
  }

  // The same value shifted to both sides, the two joined.
  std::optional<Step> rotation(size_t pc) const {
    if (!isNext(pc + 1) || !isNext(pc + 2)) return std::nullopt;
    const Instr &i = code[pc], &other = code[pc + 1], &join = code[pc + 2];
    const bool isLeft = i.op == Op::Shl32;
    if (!(isLeft ? other.op == Op::ShrU32 : i.op == Op::ShrU32 && other.op == Op::Shl32)) return std::nullopt;
    if (join.op != Op::Or32 && join.op != Op::Xor32 && join.op != Op::AddI32) return std::nullopt;
    const int32_t by = constantShift(i.b), rest = constantShift(other.b);
    if (by <= 0 || rest <= 0 || by + rest != 32 || i.a != other.a || i.dst == i.a || i.dst == other.dst)
      return std::nullopt;
    const bool joins = (join.a == i.dst && join.b == other.dst) || (join.b == i.dst && join.a == other.dst);
    if (!joins || !isDeadAfter(pc + 2, i.dst) || !isDeadAfter(pc + 2, other.dst)) return std::nullopt;
    return Step{rotateBy, 3, place(join.dst), place(i.a), -1, -1, isLeft ? by : rest};
  }

  std::optional<Step> pairOf(size_t pc, Step step) const {
    if (!isNext(pc + 1)) return std::nullopt;
    const Instr &i = code[pc], &next = code[pc + 1];
    const std::optional<TypedPart> first = partOf(i.op), second = partOf(next.op);
    if (!first || !second || first->type != second->type || second->part == Part::Not) return std::nullopt;
    const bool onLeft = next.a == i.dst, onRight = next.b == i.dst;
    if (onLeft == onRight || !isDeadAfter(pc + 1, i.dst)) return std::nullopt;
    Part part = second->part;
    if (isShift(part) && onRight) return std::nullopt;
    if (part == Part::Subtract && onRight) part = Part::SubtractFrom;
    if (isShift(first->part) && isShift(part)) return std::nullopt;
    if (isShift(first->part) || isShift(part)) {
      step.imm = constantShift(isShift(part) ? next.b : i.b);
      if (step.imm < 0) return std::nullopt;
    }
    const bool isWidePair = first->type == StepType::I64 || first->type == StepType::F64;
    if (isWidePair && overlaps(pc, pc, next.dst)) return std::nullopt;
    step.op = pairStep(first->type, first->part, part);
    step.covers = 2;
    step.dst = place(next.dst);
    step.c = isShift(part) ? place(i.a) : place(onLeft ? next.b : next.a);
    if (first->part == Part::Not || isShift(first->part)) step.b = step.a;
    return step;
  }
};

}  // namespace

std::shared_ptr<const Steps> stepsOf(const Program& program) {
  static std::mutex making;
  const std::lock_guard<std::mutex> lock(making);
  if (!program.steps || program.steps->single.size() != program.code.size())
    program.steps = std::make_shared<const Steps>(StepMaker(program).run());
  return program.steps;
}

}  // namespace hone::sim
