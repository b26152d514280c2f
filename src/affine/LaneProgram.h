// Polynomials and conditions compiled to a list of steps, each done for the 32 lanes of a warp at once.
#pragma once

#include "affine/Evaluate.h"

namespace hone::affine {

class LaneProgram {
 public:
  struct Lanes {
    alignas(64) std::array<int64_t, 32> value{};
    uint32_t unknown = 0;    // lanes whose value is not known
    uint64_t magnitude = 0;  // no lane is farther from 0
  };
  struct Truth {
    uint32_t yes = 0, unknown = 0;  // no lane in both
  };

  // Loop counters of `loops`, outermost first, change between runs; what depends on the k-th of them is
  // worked out by run(k + 1).
  LaneProgram(const Atoms& table, const Launch& launch, const std::vector<AtomId>& loopCounters);

  unsigned add(const Poly& p);         // the number of a value
  unsigned addCond(const CondPtr& c);  // the number of a truth
  unsigned levelOf(unsigned number) const { return levels[number]; }
  unsigned levelOfCond(unsigned number) const { return truthLevels[number]; }

  void setBlock(const std::array<int64_t, 3>& block);
  // Lanes of the warp that holds the threads `first` … of a block of this shape.
  void setWarp(const std::array<unsigned, 3>& shape, unsigned first);
  Lanes& counter(unsigned loop) { return lanes[counters[loop]]; }  // call settle() after a change
  static void settle(Lanes& changed);
  void run(unsigned level);

  const Lanes& operator[](unsigned number) const { return lanes[number]; }
  const Truth& truth(unsigned number) const { return truths[number]; }

 private:
  enum class Op : uint8_t { MulAdd, Mul, Div, Bits, Choice, AtLeast0, Zero, And, Or };
  struct Step {
    Op op = Op::Mul;
    ir::BinaryOp bits = ir::BinaryOp::BitAnd;
    unsigned out = 0, a = 0, b = 0, c = 0;  // Choice: c is the truth
    int64_t factor = 1;                     // MulAdd: out = a + factor * b
  };

  unsigned constant(std::optional<int64_t> v);
  unsigned atom(AtomId id);
  unsigned product(const Monomial& monomial);
  unsigned emit(Step step, unsigned level);
  unsigned emitTruth(Step step, unsigned level);
  void execute(const Step& s);

  const Atoms& atoms;
  Launch launch;
  std::vector<AtomId> loops;
  std::vector<Lanes> lanes;
  std::vector<Truth> truths;
  std::vector<unsigned> levels, truthLevels;
  std::vector<std::vector<Step>> steps;  // by level
  std::vector<unsigned> counters;
  std::array<unsigned, 3> blockLanes{}, threadLanes{};
  std::map<int64_t, unsigned> constants;
  std::optional<unsigned> unknownConstant;
  std::map<AtomId, unsigned> ofAtom;
  std::map<Monomial, unsigned> ofMonomial;
  std::map<Poly, unsigned> ofPoly;
};

}  // namespace hone::affine
