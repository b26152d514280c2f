#include "sim/model/EstimateRegisters.h"

#include <algorithm>
#include <bit>

namespace hone::sim {

namespace {

bool isWarpRegister(Reg r) { return r != noReg && !(r & uniformBank); }

bool isCall(const Instr& i) {
  return i.op == Op::CallPure || i.op == Op::Exchange || i.op == Op::CallMachine;
}

// The registers that hold values which are used later on.
class Alive {
 public:
  explicit Alive(size_t registers) : words((registers + 63) / 64) {}
  void add(Reg r) { words[r / 64] |= uint64_t(1) << r % 64; }
  void remove(Reg r) { words[r / 64] &= ~(uint64_t(1) << r % 64); }
  void add(const Alive& other) {
    for (size_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
  }
  unsigned count() const {
    unsigned n = 0;
    for (const uint64_t word : words) n += static_cast<unsigned>(std::popcount(word));
    return n;
  }

 private:
  std::vector<uint64_t> words;
};

// Walks the code backwards, a branch after the other and loops twice: what an iteration needs of the one
// before is alive at its end.
class Liveness {
 public:
  explicit Liveness(const Program& p) : program(p), opening(p.code.size(), 0) {
    std::vector<uint32_t> open;
    for (uint32_t pc = 0; pc < p.code.size(); ++pc) {
      const Op op = p.code[pc].op;
      if (op == Op::If || op == Op::Loop || op == Op::Switch || op == Op::Call) open.push_back(pc);
      if (isEnd(op) && !open.empty()) {
        opening[pc] = open.back();
        open.pop_back();
      }
    }
  }

  unsigned mostAlive() {
    before(0, static_cast<uint32_t>(program.code.size()), none());
    return most;
  }

 private:
  static bool isEnd(Op op) {
    return op == Op::EndIf || op == Op::LoopEnd || op == Op::SwitchEnd || op == Op::CallEnd;
  }
  Alive none() const { return Alive(program.warpUnits + 1); }

  // What is alive before the instructions from `begin` to `end`, of what is after them.
  Alive before(uint32_t begin, uint32_t end, Alive alive) {
    for (uint32_t pc = end; pc-- > begin;) {
      const Instr& i = program.code[pc];
      if (isEnd(i.op)) {
        const uint32_t open = opening[pc];
        alive =
            program.code[open].op == Op::Loop ? beforeLoop(open, pc, alive) : beforeBranches(open, pc, alive);
        pc = open;
        use(program.code[open], alive);
      } else {
        leave(i, alive);
        step(i, alive);
      }
      most = std::max(most, alive.count());
    }
    return alive;
  }

  // Parts between Else and Case markers are done instead of each other, or none is. What follows a call is
  // also reached from its returns.
  Alive beforeBranches(uint32_t open, uint32_t close, const Alive& after) {
    const bool isCalled = program.code[open].op == Op::Call;
    if (isCalled) returns.push_back(after);
    Alive alive = isCalled ? none() : after;
    uint32_t end = close;
    for (uint32_t pc = close; pc-- > open;) {
      if (isEnd(program.code[pc].op)) {
        pc = opening[pc];
        continue;
      }
      const bool isMarker = program.code[pc].op == Op::Else || program.code[pc].op == Op::Case;
      if (!isMarker && pc != open) continue;
      alive.add(before(pc + 1, end, after));
      if (isMarker) use(program.code[pc], alive);
      end = pc;
    }
    if (isCalled) returns.pop_back();
    return alive;
  }

  Alive beforeLoop(uint32_t open, uint32_t close, const Alive& after) {
    loops.push_back({after, none()});
    Alive head = none();
    for (unsigned iteration = 0; iteration < 2; ++iteration) head = before(open + 1, close, head);
    loops.pop_back();
    return head;
  }

  // Where threads may go on elsewhere.
  void leave(const Instr& i, Alive& alive) {
    if ((i.op == Op::Break || i.op == Op::LoopTest) && !loops.empty()) alive.add(loops.back().after);
    if (i.op == Op::ContinueJoin && !loops.empty()) loops.back().join = alive;
    if (i.op == Op::Continue && !loops.empty()) alive.add(loops.back().join);
    if (i.op == Op::Return && !returns.empty()) alive.add(returns.back());
  }

  void step(const Instr& i, Alive& alive) {
    if (isCall(i)) {
      if (i.imm < 0 || static_cast<size_t>(i.imm) >= program.calls.size()) return;
      for (Reg r : program.calls[static_cast<size_t>(i.imm)].results)
        if (isWarpRegister(r)) alive.remove(r);
    } else if (i.op != Op::Store && isWarpRegister(i.dst)) {
      forEachElement(i, [&](Reg r) { alive.remove(r); });
    }
    use(i, alive);
  }

  template <class F>
  static void forEachElement(const Instr& i, F&& f) {
    const unsigned count = i.op == Op::Load || i.op == Op::Store ? i.count : 1;
    for (unsigned k = 0; k < count; ++k) f(static_cast<Reg>(i.dst + k * registerUnits(i.type)));
  }

  // The fields of memory instructions that are no registers are left out.
  void use(const Instr& i, Alive& alive) {
    auto add = [&](Reg r) {
      if (isWarpRegister(r)) alive.add(r);
    };
    if (isCall(i)) {
      if (i.imm < 0 || static_cast<size_t>(i.imm) >= program.calls.size()) return;
      for (Reg r : program.calls[static_cast<size_t>(i.imm)].args) add(r);
      return;
    }
    const bool isMemory = i.op == Op::Load || i.op == Op::Store || i.op == Op::Atomic || i.op == Op::Lea;
    add(i.a);
    if (i.op == Op::Store && isWarpRegister(i.dst)) forEachElement(i, add);
    if (!isMemory || i.index != IndexKind::None) add(i.b);
    if (!isMemory) add(i.c);
  }

  struct LoopEnds {
    Alive after, join;
  };
  const Program& program;
  std::vector<uint32_t> opening;  // of each end, where what it ends began
  std::vector<LoopEnds> loops;
  std::vector<Alive> returns;
  unsigned most = 0;
};

constexpr unsigned mostRegisters = 255;  // that an instruction can name

}  // namespace

unsigned registersWanted(const Program& program, const target::Target& target) {
  const target::CompilerModel& model = target.compiler;
  const unsigned needed = Liveness(program).mostAlive() + model.registersBesides;
  const unsigned estimate = (needed + model.registerStep - 1) / model.registerStep * model.registerStep;
  return std::max(estimate, model.leastRegisters);
}

unsigned estimateRegisters(const Program& program, const target::Target& target) {
  return std::min(registersWanted(program, target), mostRegisters);
}

}  // namespace hone::sim
