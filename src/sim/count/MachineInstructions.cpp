// What a compiler would make of the byte code, as far as it changes how many instructions run.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "sim/count/InstructionClass.h"
#include "sim/count/OwnInstructions.h"

namespace hone::sim {

namespace {

bool isComparison(Op op) { return op >= Op::Eq32 && op <= Op::LeF64; }

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

// The sum that takes a product (or another sum) as an operand of the same instruction: multiply-add,
// shift-add, add of three.
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
  Weigher(const Program& p, const target::Target& t) : program(p), target(t), weight(p.code.size()) {
    for (const Constant& c : p.constants)
      if (!isFloating(c.type)) constants[c.reg] = static_cast<int64_t>(c.bits);
    for (uint32_t pc = 0; pc < weight.size(); ++pc) weight[pc] = ownInstructions(p, pc, t.instructions);
  }

  std::vector<double> run() {
    predicate();
    findLoops();
    number();
    for (uint32_t pc = 0; pc < weight.size(); ++pc)
      if (weight[pc] > 0) fuse(pc);
    for (const CodeLoop& loop : loops) hoist(loop.begin, loop.end);
    for (const CodeLoop& loop : loops)
      if (loop.isUnrolled) {
        for (uint32_t pc = loop.begin; pc <= loop.test; ++pc) weight[pc] /= loop.iterations;
        for (uint32_t pc = loop.step; pc < loop.end; ++pc) weight[pc] /= loop.iterations;
        for (uint32_t pc : loop.strided) weight[pc] /= loop.iterations;
      }
    for (uint32_t pc = 0; pc < weight.size(); ++pc) weight[pc] += address[pc];
    return weight;
  }

  std::vector<double> iterations() {
    findLoops();
    std::vector<double> out(weight.size(), 1);
    for (const CodeLoop& loop : loops)
      if (loop.isUnrolled && !loop.stores && loop.end > 0) out[loop.end - 1] = loop.iterations;
    return out;
  }

 private:
  struct CodeLoop {
    uint32_t begin = 0, end = 0;  // Loop and LoopEnd
    uint32_t test = 0, step = 0;  // LoopTest and ContinueJoin
    bool isUnrolled = false, stores = false;
    double iterations = 1;   // in one, where it is unrolled
    std::set<Reg> counters;  // changed by a fixed amount at the end of each iteration, and nowhere else
    std::vector<uint32_t> strided;  // sums of a counter and what does not change
  };
  // What a register holds: a value known by its number, and what is added to it.
  struct Value {
    uint32_t root = 0;
    int64_t plus = 0;
    unsigned depth = 0;    // of the loop whose iterations change it
    bool isCount = false;  // a counter of that loop, with what does not change in it added
  };
  using Key = std::tuple<Op, uint32_t, int64_t, uint32_t, int64_t, uint32_t, int64_t, int64_t>;
  struct Scope {
    std::set<Reg> written;
    std::vector<Key> known;
    std::vector<std::tuple<uint32_t, uint32_t, unsigned>> addresses;
    bool isPredicated = false;  // what is computed in it is at hand behind it
  };

  const Program& program;
  const target::Target& target;
  std::vector<double> weight;
  std::vector<double> address = std::vector<double>(program.code.size());  // of the access, computed for it
  std::vector<bool> isFused = std::vector<bool>(program.code.size());
  std::map<Reg, int64_t> constants;
  std::vector<CodeLoop> loops;
  std::map<Reg, Value> holds;
  std::map<Key, Value> known;
  std::set<std::tuple<uint32_t, uint32_t, unsigned>> addresses;  // base, index and scale of those at hand
  std::vector<Scope> scopes;
  std::vector<size_t> open;  // loops around
  uint32_t roots = 0;

  void predicate() {
    std::vector<uint32_t> choices;
    for (uint32_t pc = 0; pc < weight.size(); ++pc) {
      if (program.code[pc].op == Op::If) choices.push_back(pc);
      if (program.code[pc].op != Op::EndIf || choices.empty()) continue;
      const uint32_t begin = choices.back();
      choices.pop_back();
      bool isShort = pc - begin <= target.compiler.predicatedCode;
      for (uint32_t at = begin + 1; at < pc && isShort; ++at) {
        const Op op = program.code[at].op;
        isShort = op < Op::Loop || op == Op::Else || op == Op::EndIf || op == Op::If;
      }
      if (isShort) weight[begin] = 0;
    }
  }

  void findLoops() {
    std::vector<size_t> around;
    for (uint32_t pc = 0; pc < program.code.size(); ++pc) {
      const Op op = program.code[pc].op;
      if (op == Op::Loop) {
        for (size_t outer : around) loops[outer].isUnrolled = false;
        around.push_back(loops.size());
        loops.push_back({pc, pc, pc, pc, true, false, 1, {}, {}});
      }
      if (around.empty()) continue;
      CodeLoop& loop = loops[around.back()];
      if (op == Op::LoopTest && loop.test == loop.begin && loop.step == loop.begin) loop.test = pc;
      if (op == Op::ContinueJoin) loop.step = pc;
      if (op == Op::BlockBarrier || op == Op::GridSync || op == Op::Call || op == Op::Break)
        loop.isUnrolled = false;
      const MemorySpace space = program.code[pc].space;
      if (op == Op::Atomic ||
          (op == Op::Store && space != MemorySpace::Shared && space != MemorySpace::Local))
        loop.stores = true;
      if (op != Op::LoopEnd) continue;
      loop.end = pc;
      finish(loop);
      around.pop_back();
    }
  }

  void finish(CodeLoop& loop) const {
    std::map<Reg, unsigned> writers;
    for (uint32_t pc = loop.begin; pc < loop.end; ++pc)
      if (program.code[pc].dst != noReg && program.code[pc].op != Op::Store) ++writers[program.code[pc].dst];
    for (uint32_t pc = loop.step; pc < loop.end; ++pc) {
      const Instr& i = program.code[pc];
      if ((i.op == Op::AddI32 || i.op == Op::SubI32 || i.op == Op::AddI64) && i.dst == i.a &&
          (i.b & uniformBank) && writers[i.dst] == 1)
        loop.counters.insert(i.dst);
    }
    // A test of comparisons alone: iterations can be counted.
    bool isPlainTest = loop.test > loop.begin;
    for (uint32_t pc = loop.begin + 1; pc < loop.test; ++pc)
      isPlainTest = isPlainTest && isPlain(program.code[pc].op);
    double size = 0;
    for (uint32_t pc = loop.begin; pc < loop.end; ++pc) size += weight[pc];
    while (loop.iterations < target.compiler.unrolledIterations &&
           size * loop.iterations * 2 <= target.compiler.unrolledInstructions)
      loop.iterations *= 2;
    loop.isUnrolled = loop.isUnrolled && isPlainTest && !loop.counters.empty();
  }

  Value fresh(unsigned depth) { return {++roots, 0, depth, false}; }

  Value valueOf(Reg r) {
    if (r == noReg) return {};
    auto found = holds.find(r);
    if (found != holds.end()) return found->second;
    return holds[r] = fresh(0);
  }

  void leave(Scope& scope) {
    if (scope.isPredicated && scopes.size() > 1) {
      Scope& outer = scopes[scopes.size() - 2];
      outer.known.insert(outer.known.end(), scope.known.begin(), scope.known.end());
      outer.addresses.insert(outer.addresses.end(), scope.addresses.begin(), scope.addresses.end());
    } else {
      for (const Key& key : scope.known) known.erase(key);
      for (const auto& one : scope.addresses) addresses.erase(one);
    }
    for (Reg r : scope.written) {
      holds[r] = fresh(static_cast<unsigned>(open.size()));
      if (scopes.size() > 1) scopes[scopes.size() - 2].written.insert(r);
    }
    const bool isPredicated = scope.isPredicated;
    scope = {};
    scope.isPredicated = isPredicated;
  }

  void set(Reg r, const Value& value) {
    holds[r] = value;
    scopes.back().written.insert(r);
  }

  // What was computed before, where it is at hand, costs nothing; nor do fixed amounts that accesses add to
  // an address.
  void number() {
    scopes.assign(1, {});
    size_t nextLoop = 0;
    for (uint32_t pc = 0; pc < weight.size(); ++pc) {
      const Instr& i = program.code[pc];
      switch (i.op) {
        case Op::Loop: {
          open.push_back(nextLoop);
          const CodeLoop& loop = loops[nextLoop++];
          scopes.emplace_back();
          const unsigned depth = static_cast<unsigned>(open.size());
          for (uint32_t at = loop.begin; at < loop.end; ++at)
            if (program.code[at].dst != noReg && program.code[at].op != Op::Store) {
              Value value = fresh(depth);
              value.isCount = loop.counters.contains(program.code[at].dst);
              set(program.code[at].dst, value);
            }
          break;
        }
        case Op::If:
        case Op::Switch:
        case Op::Call:
          scopes.emplace_back();
          scopes.back().isPredicated = i.op == Op::If && weight[pc] == 0;
          break;
        case Op::Else:
        case Op::Case: leave(scopes.back()); break;
        case Op::LoopEnd: open.pop_back(); [[fallthrough]];
        case Op::EndIf:
        case Op::SwitchEnd:
        case Op::CallEnd:
          if (scopes.size() > 1) {
            leave(scopes.back());
            scopes.pop_back();
          }
          break;
        case Op::Load:
        case Op::Store:
        case Op::Atomic:
          access(pc, i);
          if (i.op != Op::Store)
            for (unsigned r = 0; r < i.count * registerUnits(i.type); ++r)
              set(static_cast<Reg>(i.dst + r), fresh(static_cast<unsigned>(open.size())));
          break;
        default: compute(pc, i); break;
      }
    }
  }

  // The address of an access: base and index, what is added to the index being part of the instruction.
  void access(uint32_t pc, const Instr& i) {
    if (i.index == IndexKind::None || (i.b & uniformBank)) return;
    const Value base = valueOf(i.a), index = valueOf(i.b);
    const unsigned depth = static_cast<unsigned>(open.size());
    const auto one = std::make_tuple(base.root, index.root, unsigned(i.c));
    if (std::max(base.depth, index.depth) < depth || !addresses.insert(one).second) return;
    scopes.back().addresses.push_back(one);
    const bool isStrided = index.isCount && !open.empty() && loops[open.back()].isUnrolled;
    address[pc] = isStrided ? 1 / loops[open.back()].iterations : 1;
  }

  bool isInvariant(const Value& value) const { return value.depth < open.size(); }

  void compute(uint32_t pc, const Instr& i) {
    if (i.op == Op::CallPure || i.op == Op::Exchange || i.op == Op::CallMachine) {
      for (Reg r : program.calls[static_cast<size_t>(i.imm)].results)
        set(r, fresh(static_cast<unsigned>(open.size())));
      return;
    }
    if (i.dst == noReg) return;
    switch (i.op) {
      case Op::Mov32:
      case Op::Mov64:
      case Op::I32ToI64:
      case Op::U32ToI64:
      case Op::I64ToI32: set(i.dst, valueOf(i.a)); return;
      default: break;
    }
    const Value a = valueOf(i.a), b = valueOf(i.b);
    const Value c = i.op == Op::Lea ? Value{i.c} : valueOf(i.c);  // there it is the scale itself
    const bool isSum = i.op == Op::AddI32 || i.op == Op::AddI64, isDifference = i.op == Op::SubI32;
    const auto constant = constants.find(i.b);
    if ((isSum || isDifference) && constant != constants.end() && !(i.a & uniformBank)) {
      Value value = a;
      value.plus += isSum ? constant->second : -constant->second;
      const Key key{Op::AddI32, a.root, value.plus, 0, 0, 0, 0, 0};
      if (known.contains(key) || isForAddresses(pc)) weight[pc] = 0;
      remember(key, value);
      set(i.dst, value);
      return;
    }
    const Key key{i.op, a.root, a.plus, b.root, b.plus, c.root, c.plus, i.imm};
    // There are few registers for truth values: comparisons are made anew.
    if (const auto found = known.find(key); found != known.end() && !isComparison(i.op)) {
      weight[pc] = 0;
      set(i.dst, found->second);
      return;
    }
    if (isDivision(i.op)) {
      const auto quotient = quotientOf(i.op);
      if (constant != constants.end())
        weight[pc] = std::min(weight[pc], divisionBy(constant->second, i.op, target.instructions));
      // The remainder is what the product with a quotient leaves, and the quotient a part of computing it.
      for (Op other : {quotient.value_or(i.op), remainderOf(i.op).value_or(i.op)})
        if (other != i.op && known.contains({other, a.root, a.plus, b.root, b.plus, c.root, c.plus, i.imm}))
          weight[pc] = quotient ? std::min(weight[pc], target.instructions.remainderOfQuotient) : 0;
    }
    Value value = fresh(std::max({a.depth, b.depth, c.depth}));
    if (i.op > Op::Lea) value.depth = static_cast<unsigned>(open.size());
    value.isCount =
        (isSum || isDifference) && ((a.isCount && isInvariant(b)) || (b.isCount && isInvariant(a)));
    if (value.isCount && !open.empty()) loops[open.back()].strided.push_back(pc);
    remember(key, value);
    set(i.dst, value);
  }

  void remember(const Key& key, const Value& value) {
    if (known.emplace(key, value).second) scopes.back().known.push_back(key);
  }

  // Whether every use of the result, until its register holds something else, is the index of an access.
  bool isForAddresses(uint32_t pc) const {
    const Reg r = program.code[pc].dst;
    bool isUsed = false;
    for (uint32_t next = pc + 1; next < program.code.size(); ++next) {
      const Instr& i = program.code[next];
      const bool isMemory = i.op == Op::Load || i.op == Op::Store || i.op == Op::Atomic || i.op == Op::Lea;
      if (isMemory && (i.b == r || i.a == r) && !(i.op == Op::Store && i.dst == r))
        isUsed = true;
      else if (reads(program, i, r))
        return false;
      if (i.dst == r && i.op != Op::Store) break;
    }
    return isUsed;
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
    if (!user || !fuses(inner.op, user->op) || isFused[userAt] || weight[userAt] == 0) return;
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
      if (!isComparison(i.op)) weight[pc] = 0;
    }
  }
};

}  // namespace

std::vector<double> machineInstructions(const Program& program, const target::Target& target) {
  return Weigher(program, target).run();
}

std::vector<double> iterationsTogether(const Program& program, const target::Target& target) {
  return Weigher(program, target).iterations();
}

}  // namespace hone::sim
