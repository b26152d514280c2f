// The unknowns of a kernel, each stored once. Numbers stay valid for the life of the table, which grows when
// a question needs a new one (a quotient after a substitution).
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <string>

#include "affine/Cond.h"
#include "ir/Kernel.h"

namespace hone::affine {

enum class AtomKind : uint8_t {
  Block,
  Thread,  // blockIdx, threadIdx of one axis
  Loop,  // the counter of a loop: iterations done, or the distance from its start (see Loop in KernelModel.h)
  Symbol,  // the same for all threads of a launch (SymbolKind)
  Div,     // floor(value / divisor), divisor > 0; divisor is a number or made of symbols
  Choice,  // yes where cond holds, else no
  Bits,    // value op other on two's complement bits: computable, not affine
  Opaque   // a value that nothing is known of but what it varies with
};

enum class SymbolKind : uint8_t {
  Value,         // a scalar parameter, a field of one, a constant of the program: known by its name
  GridDim,       // blocks along an axis
  GlobalOffset,  // where OpenCL's global ids begin along an axis
  WorkDim,
  Helper  // stands for what an analysis or a pass knows, under a name in words
};

struct Atom {
  AtomKind kind = AtomKind::Symbol;
  SymbolKind symbol = SymbolKind::Value;  // Symbol
  uint8_t axis = 0;                       // Block, Thread; Symbol: GridDim, GlobalOffset
  LoopId loop;                            // Loop
  std::string name;     // Symbol: "n", "p.width", and for printing "gridDim.x"; Opaque: "idx[i]"
  Poly value, divisor;  // Div; Bits: value and divisor are the operands
  ir::BinaryOp op = ir::BinaryOp::BitAnd;  // Bits: BitAnd, BitOr, BitXor, Shl, Shr
  CondPtr cond;                            // Choice
  Poly yes, no;                            // Choice
  std::string reason;  // Opaque: why it is not known ("loaded index", "call of f", "changes in loop L2")
  Variation varies;    // Opaque
  const ir::Variable* variable = nullptr;     // Symbol: the parameter or global behind it
  int64_t low = INT64_MIN, high = INT64_MAX;  // what it lies between; Div and Choice: worked out when asked
  bool is(SymbolKind s) const { return kind == AtomKind::Symbol && symbol == s; }
};

struct Range {
  int64_t low = INT64_MIN, high = INT64_MAX;  // the extremes stand for "no bound"
  bool isWithin(int64_t least, int64_t most) const { return low >= least && high <= most; }
};

class Atoms {
 public:
  const Atom& operator[](AtomId id) const { return table[id]; }  // stays where it is while the table grows
  size_t size() const { return table.size(); }

  Poly block(unsigned axis);
  Poly thread(unsigned axis);
  Poly loop(LoopId loop);
  void bound(AtomId id, int64_t low, int64_t high);  // narrows what a Loop, Block or Symbol lies between
  Poly symbol(const std::string& name, const ir::Variable* variable, int64_t low, int64_t high);
  Poly gridDim(unsigned axis);
  Poly globalOffset(unsigned axis);
  Poly workDim();
  Poly helper(const std::string& name, const ir::Variable* variable, int64_t low, int64_t high);
  Poly opaque(std::string name, std::string reason, Variation varies, int64_t low = INT64_MIN,
              int64_t high = INT64_MAX);
  // floor(value / divisor): numbers, exact quotients and quotients by range are worked out, multiples pulled
  // out.
  Poly div(const Poly& value, const Poly& divisor);
  Poly mod(const Poly& value, const Poly& divisor) { return value - div(value, divisor) * divisor; }
  Poly choice(const CondPtr& cond, const Poly& yes, const Poly& no);
  Poly bits(ir::BinaryOp op, const Poly& value, const Poly& other);
  void setRange(AtomId id, int64_t low, int64_t high);  // of a loop counter, known after its atom was made
  std::optional<AtomId> findSymbol(const std::string& name) const;  // SymbolKind::Value
  std::optional<AtomId> findGridDim(unsigned axis) const;           // none: nothing has asked for it yet

  Range range(const Poly& p) const;
  Variation variation(const Poly& p) const;
  Variation variation(const CondPtr& c) const;
  // True when it is made of symbols and numbers alone: one value for the launch.
  bool isLaunchUniform(const Poly& p) const;

  // Each atom given a value is replaced by it, inside Div, Choice and Bits as well.
  using Substitution = std::map<AtomId, Poly>;
  Poly substitute(const Poly& p, const Substitution& values);
  CondPtr substitute(const CondPtr& c, const Substitution& values);

  // Every atom below, those inside others included.
  void forEachAtom(const Poly& p, const std::function<void(AtomId)>& fn) const;
  void forEachAtom(const CondPtr& c, const std::function<void(AtomId)>& fn) const;

  // As a person would write it: "256*blockIdx.x + threadIdx.x", "(i + 1) / 2".
  std::string str(const Poly& p) const;
  std::string str(const CondPtr& c) const;

  ById<LoopId, std::string> loopNames;  // for str: the loop variable's name
  std::array<unsigned, 3> blockShape{1, 1, 1};

 private:
  AtomId intern(Atom atom);
  std::optional<AtomId> find(const Atom& atom) const;
  Range rangeOf(AtomId id) const;
  Range rangeUnder(const Poly& p, const CondPtr& cond) const;
  // p as factor * (value mod divisor) + rest, where that makes it shorter.
  struct ModPart {
    AtomId quotient = 0;  // the Div whose remainder it is
    Poly factor, rest;
  };
  std::optional<ModPart> splitMod(const Poly& p) const;
  std::optional<bool> decided(const CondPtr& c) const;  // by range
  Poly divByNumber(const Poly& value, int64_t divisor);
  std::string str(AtomId id, bool asFactor) const;

  std::deque<Atom> table;
  std::multimap<std::string, AtomId> byKey;
  mutable std::vector<std::optional<Range>> ranges;  // of Div, Choice and Bits, until a bound changes
};

}  // namespace hone::affine
