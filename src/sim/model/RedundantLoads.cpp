#include "sim/model/RedundantLoads.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hone::sim {

namespace {

class Numbering {
 public:
  Numbering(const Program& p, const std::set<std::string>& alignedShared)
      : program(p), shares(p.code.size(), 1) {
    for (const SharedVariable& one : p.shared)
      if (alignedShared.contains(one.name)) alignedArrays.emplace_back(one.offset, one.offset + one.size);
    for (const Constant& c : p.constants)
      if (!isFloating(c.type)) holds[c.reg] = {0, static_cast<int64_t>(c.bits), whole};
  }

  std::vector<double> run() {
    for (uint32_t pc = 0; pc < program.code.size(); ++pc) step(pc, program.code[pc]);
    widen();
    return std::move(shares);
  }

 private:
  static constexpr uint64_t whole = uint64_t(1) << 32;  // 0 is a multiple of everything

  // A value known by its number, what is added to it, and a power of two that divides the former. Number 0 is
  // 0 itself.
  struct Value {
    uint32_t root = 0;
    int64_t plus = 0;
    uint64_t multiple = 1;
  };
  using Key = std::tuple<Op, uint32_t, int64_t, uint32_t, int64_t, uint32_t, int64_t, int64_t>;
  // Array and index, but for what is added to it.
  using Row = std::tuple<MemorySpace, uint32_t, int64_t, uint32_t, Reg, Scalar>;
  struct Place {
    Row row;
    int64_t at = 0;  // bytes
    unsigned count = 0;
    auto operator<=>(const Place&) const = default;
  };
  struct Scope {
    std::map<Reg, Value> before;  // what registers that are written in it held
    std::vector<Place> loaded;
    std::vector<uint32_t> computed;
  };

  Value fresh() { return {++roots, 0, 1}; }
  Value valueOf(Reg r) {
    if (r == noReg) return {};
    const auto found = holds.find(r);
    return found != holds.end() ? found->second : holds[r] = fresh();
  }
  void set(Reg r, const Value& value) {
    if (!scopes.empty()) scopes.back().before.emplace(r, valueOf(r));
    holds[r] = value;
  }
  uint32_t number(const Key& key) {
    uint32_t& root = numbers[key];
    return root ? root : root = ++roots;
  }
  static uint64_t lowBit(int64_t n) {
    return n ? static_cast<uint64_t>(n) & (~static_cast<uint64_t>(n) + 1) : whole;
  }

  // What was loaded in a branch or a loop is not at hand behind it, and what it changed is not known.
  void leave(bool isElse) {
    Scope& scope = scopes.back();
    for (const Place& place : scope.loaded) loaded.erase(place);
    for (const uint32_t root : scope.computed) computed.erase(root);
    for (const auto& [r, value] : scope.before) holds[r] = isElse ? value : fresh();
    std::map<Reg, Value> before = std::move(scope.before);
    scope = {};
    if (isElse) {
      scope.before = std::move(before);
      return;
    }
    scopes.pop_back();
    if (!scopes.empty())
      for (const auto& [r, value] : before) scopes.back().before.emplace(r, value);
  }

  void forget(MemorySpace space) {
    widen();
    std::erase_if(loaded, [&](const auto& one) {
      const MemorySpace from = std::get<0>(one.first.row);
      return space == MemorySpace::Generic || from == space || from == MemorySpace::Generic;
    });
  }

  void step(uint32_t pc, const Instr& i) {
    switch (i.op) {
      case Op::Loop:
        widen();
        enterLoop(pc);
        return;
      case Op::If:
      case Op::Switch:
      case Op::Call:
        widen();
        scopes.emplace_back();
        return;
      case Op::Else:
      case Op::Case:
        widen();
        if (!scopes.empty()) leave(true);
        return;
      case Op::EndIf:
      case Op::LoopEnd:
      case Op::SwitchEnd:
      case Op::CallEnd:
        widen();
        if (!scopes.empty()) leave(false);
        return;
      case Op::BlockBarrier:
      case Op::BarrierVote:
      case Op::WarpSync:
      case Op::GridSync:
      case Op::Fence:
      case Op::CallMachine:
      case Op::Exchange: forget(MemorySpace::Generic); break;
      case Op::Store: forget(i.space); return;
      case Op::Atomic: forget(MemorySpace::Generic); break;
      case Op::Load: load(pc, i); return;
      default: break;
    }
    if (i.op == Op::CallPure || i.op == Op::Exchange || i.op == Op::CallMachine) {
      for (Reg r : program.calls[static_cast<size_t>(i.imm)].results) set(r, fresh());
      return;
    }
    if (i.dst == noReg) return;
    compute(i);
    // A sum that is at hand but for a number needs no instruction where accesses add the number themselves.
    const uint32_t root = holds[i.dst].root;
    const bool isSum = i.op == Op::AddI32 || i.op == Op::SubI32;
    if (!isSum || !root) return;
    if (computed.insert(root).second) {
      if (!scopes.empty()) scopes.back().computed.push_back(root);
    } else if (isForAddresses(pc)) {
      shares[pc] = 0;
    }
  }

  // Whether every use of the result, until its register holds something else, is an index.
  bool isForAddresses(uint32_t pc) const {
    const Reg r = program.code[pc].dst;
    for (uint32_t next = pc + 1; next < program.code.size(); ++next) {
      const Instr& i = program.code[next];
      const bool isMemory = i.op == Op::Load || i.op == Op::Store || i.op == Op::Atomic;
      const bool isSum = i.op == Op::AddI32 || i.op == Op::SubI32;
      if (i.op >= Op::If) return false;
      if (isMemory ? i.op != Op::Load && i.dst == r : (i.a == r || i.b == r || i.c == r) && !isSum)
        return false;
      if (i.dst == r && i.op != Op::Store) return true;
    }
    return false;
  }

  // Registers that iterations change hold something else in each; what was loaded before stays at hand where
  // no iteration stores.
  void enterLoop(uint32_t pc) {
    scopes.emplace_back();
    unsigned depth = 0;
    bool stores = false;
    for (uint32_t at = pc; at < program.code.size(); ++at) {
      const Instr& i = program.code[at];
      depth += i.op == Op::Loop;
      if (i.op == Op::LoopEnd && --depth == 0) break;
      stores = stores || i.op == Op::Store || i.op == Op::Atomic || i.op == Op::BlockBarrier ||
               i.op == Op::Fence || i.op == Op::GridSync || i.op == Op::WarpSync || i.op == Op::Exchange ||
               i.op == Op::CallMachine;
      if (i.op == Op::CallPure || i.op == Op::Exchange || i.op == Op::CallMachine)
        for (Reg r : program.calls[static_cast<size_t>(i.imm)].results) set(r, fresh());
      if (i.dst == noReg || i.op == Op::Store) continue;
      const unsigned units = i.op == Op::Load ? i.count * registerUnits(i.type) : 1;
      for (unsigned r = 0; r < units; ++r) set(static_cast<Reg>(i.dst + r), fresh());
    }
    if (stores) forget(MemorySpace::Generic);
  }

  void load(uint32_t pc, const Instr& i) {
    const unsigned units = i.count * registerUnits(i.type);
    const Value base = valueOf(i.a), index = i.index == IndexKind::None ? Value{0, 0, whole} : valueOf(i.b);
    const bool isPlain =
        i.hint != CacheHint::Volatile && i.space != MemorySpace::Local && i.index != IndexKind::U32;
    const Place place{
        {i.space, base.root, base.plus, index.root, i.c, i.type}, index.plus * i.c + i.imm, i.count};
    const auto found = isPlain ? loaded.find(place) : loaded.end();
    if (found != loaded.end()) {
      shares[pc] = 0;
      for (unsigned r = 0; r < units; ++r) set(static_cast<Reg>(i.dst + r), {found->second + r, 0, 1});
      return;
    }
    const uint32_t first = roots + 1;
    roots += units;
    for (unsigned r = 0; r < units; ++r) set(static_cast<Reg>(i.dst + r), {first + r, 0, 1});
    if (!isPlain) return;
    loaded[place] = first;
    if (!scopes.empty()) scopes.back().loaded.push_back(place);
    // Neighbours may come together where each begins at a multiple of 4 bytes that is known.
    const uint64_t aligned = std::min(base.root ? base.multiple : whole, index.multiple * i.c);
    if (i.space == MemorySpace::Shared && i.count == 1 && memoryBytes(i.type) == 4 && aligned >= 8 &&
        isInAligned(base.plus + i.imm))
      together[place.row].push_back({base.plus + place.at, pc, std::min<uint64_t>(aligned, 16)});
  }

  bool isInAligned(int64_t at) const {
    return std::any_of(alignedArrays.begin(), alignedArrays.end(),
                       [&](const auto& range) { return at >= range.first && at < range.second; });
  }

  struct Part {
    int64_t at;
    uint32_t pc;
    uint64_t aligned;
  };
  // Whole groups of four elements, then of two, that were loaded in the stretch of code that ends here.
  void widen() {
    for (auto& [row, parts] : together)
      for (const int64_t bytes : {16, 8}) {
        std::map<int64_t, std::vector<uint32_t>> groups;
        for (const Part& part : parts)
          if (part.aligned >= static_cast<uint64_t>(bytes) && shares[part.pc] == 1)
            groups[part.at >= 0 ? part.at / bytes : -1].push_back(part.pc);
        for (const auto& [number, pcs] : groups)
          if (number >= 0 && pcs.size() == static_cast<size_t>(bytes / 4))
            for (const uint32_t pc : pcs) shares[pc] = 4.0 / static_cast<double>(bytes);
      }
    together.clear();
  }

  void compute(const Instr& i) {
    const Value a = valueOf(i.a), b = valueOf(i.b), c = i.op == Op::Lea ? Value{i.c, 0, 1} : valueOf(i.c);
    switch (i.op) {
      case Op::Mov32:
      case Op::Mov64:
      case Op::I32ToI64:
      case Op::U32ToI64:
      case Op::I64ToI32: return set(i.dst, a);
      case Op::AddI32:
      case Op::AddI64: return set(i.dst, sum(i.op, a, b));
      case Op::SubI32:
      case Op::SubI64:
        if (a.root == b.root) return set(i.dst, {0, a.plus - b.plus, whole});
        if (!b.root) return set(i.dst, {a.root, a.plus - b.plus, a.multiple});
        return set(i.dst, {number({i.op, a.root, 0, b.root, 0, 0, 0, 0}), a.plus - b.plus,
                           std::min(a.multiple, b.multiple)});
      case Op::MulI32:
        if (!b.root) return set(i.dst, product(a, b.plus));
        if (!a.root) return set(i.dst, product(b, a.plus));
        break;
      case Op::Shl32:
        if (!b.root && b.plus >= 0 && b.plus < 31) return set(i.dst, product(a, int64_t(1) << b.plus));
        break;
      default: break;
    }
    const bool isSame = i.op < Op::Lea;  // the same for the same operands
    set(i.dst, isSame ? Value{number({i.op, a.root, a.plus, b.root, b.plus, c.root, c.plus, i.imm}), 0, 1}
                      : fresh());
  }
  Value sum(Op op, const Value& a, const Value& b) {
    if (!a.root || !b.root) return {a.root + b.root, a.plus + b.plus, std::min(a.multiple, b.multiple)};
    const auto [first, second] = std::minmax(a.root, b.root);
    return {number({op, first, 0, second, 0, 0, 0, 0}), a.plus + b.plus, std::min(a.multiple, b.multiple)};
  }
  Value product(const Value& a, int64_t by) {
    if (!a.root || by == 0) return {0, a.plus * by, whole};
    return {number({Op::MulI32, a.root, 0, 0, by, 0, 0, 0}), a.plus * by,
            std::min(whole, a.multiple * lowBit(by))};
  }

  const Program& program;
  std::vector<double> shares;
  std::vector<std::pair<int64_t, int64_t>> alignedArrays;  // begin and end
  std::map<Reg, Value> holds;
  std::map<Key, uint32_t> numbers;
  std::map<Place, uint32_t> loaded;           // number of the first value
  std::map<Row, std::vector<Part>> together;  // of the stretch of code so far
  std::set<uint32_t> computed;                // sums that are at hand
  std::vector<Scope> scopes;
  uint32_t roots = 0;
};

}  // namespace

namespace {

// At the end of every branch all that it holds is forgotten again: chains of thousands take that many times
// as long.
constexpr unsigned deepestNumbered = 256;

unsigned deepestNesting(const Program& program) {
  unsigned depth = 0, deepest = 0;
  for (const Instr& i : program.code) switch (i.op) {
      case Op::Loop:
      case Op::If:
      case Op::Switch:
      case Op::Call: deepest = std::max(deepest, ++depth); break;
      case Op::EndIf:
      case Op::LoopEnd:
      case Op::SwitchEnd:
      case Op::CallEnd: depth -= depth > 0; break;
      default: break;
    }
  return deepest;
}

}  // namespace

std::vector<double> loadShares(const Program& program, const std::set<std::string>& alignedShared) {
  if (deepestNesting(program) > deepestNumbered) return std::vector<double>(program.code.size(), 1);
  return Numbering(program, alignedShared).run();
}

}  // namespace hone::sim
