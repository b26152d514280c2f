#include "affine/LaneProgram.h"

#include <algorithm>
#include <bit>

#include "ir/Integers.h"

namespace hone::affine {
namespace {

constexpr uint64_t safe = uint64_t{1} << 62;

uint64_t sizeOf(int64_t v) {
  return v < 0 ? uint64_t{0} - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
}

}  // namespace

LaneProgram::LaneProgram(const Atoms& table, const Launch& given, const std::vector<AtomId>& loopCounters)
    : atoms(table), launch(given), loops(loopCounters), steps(loopCounters.size() + 1) {
  const auto input = [&](unsigned level) {
    lanes.emplace_back();
    levels.push_back(level);
    return static_cast<unsigned>(lanes.size() - 1);
  };
  for (size_t axis = 0; axis < 3; ++axis) {
    blockLanes[axis] = input(0);
    threadLanes[axis] = input(0);
  }
  for (size_t k = 0; k < loops.size(); ++k) {
    counters.push_back(input(static_cast<unsigned>(k) + 1));
    ofAtom[loops[k]] = counters.back();
  }
}

unsigned LaneProgram::constant(std::optional<int64_t> v) {
  if (!v && unknownConstant) return *unknownConstant;
  if (v)
    if (const auto at = constants.find(*v); at != constants.end()) return at->second;
  Lanes& made = lanes.emplace_back();
  levels.push_back(0);
  const auto number = static_cast<unsigned>(lanes.size() - 1);
  if (v) {
    made.value.fill(*v);
    made.magnitude = sizeOf(*v);
    constants[*v] = number;
  } else {
    made.unknown = ~0u;
    unknownConstant = number;
  }
  return number;
}

unsigned LaneProgram::emit(Step step, unsigned level) {
  lanes.emplace_back();
  levels.push_back(level);
  step.out = static_cast<unsigned>(lanes.size() - 1);
  steps[level].push_back(step);
  return step.out;
}

unsigned LaneProgram::emitTruth(Step step, unsigned level) {
  truths.emplace_back();
  truthLevels.push_back(level);
  step.out = static_cast<unsigned>(truths.size() - 1);
  steps[level].push_back(step);
  return step.out;
}

unsigned LaneProgram::atom(AtomId id) {
  if (const auto at = ofAtom.find(id); at != ofAtom.end()) return at->second;
  const Atom& a = atoms[id];
  unsigned out = 0;
  switch (a.kind) {
    case AtomKind::Block: out = blockLanes[a.axis]; break;
    case AtomKind::Thread: out = threadLanes[a.axis]; break;
    case AtomKind::Symbol: out = constant(Values(atoms, launch).of(id)); break;
    case AtomKind::Loop:
    case AtomKind::Opaque: out = constant(std::nullopt); break;
    case AtomKind::Div:
    case AtomKind::Bits: {
      Step step;
      step.op = a.kind == AtomKind::Div ? Op::Div : Op::Bits;
      step.bits = a.op;
      step.a = add(a.value);
      step.b = add(a.divisor);
      out = emit(step, std::max(levels[step.a], levels[step.b]));
      break;
    }
    case AtomKind::Choice: {
      Step step;
      step.op = Op::Choice;
      step.c = addCond(a.cond);
      step.a = add(a.yes);
      step.b = add(a.no);
      out = emit(step, std::max({levels[step.a], levels[step.b], truthLevels[step.c]}));
      break;
    }
  }
  ofAtom[id] = out;
  return out;
}

unsigned LaneProgram::product(const Monomial& monomial) {
  if (monomial.size() == 1) return atom(monomial.front());
  if (const auto at = ofMonomial.find(monomial); at != ofMonomial.end()) return at->second;
  Step step;
  step.a = product(Monomial(monomial.begin(), monomial.end() - 1));
  step.b = atom(monomial.back());
  return ofMonomial[monomial] = emit(step, std::max(levels[step.a], levels[step.b]));
}

unsigned LaneProgram::add(const Poly& p) {
  if (const std::optional<int64_t> v = p.constant()) return constant(v);
  if (const auto at = ofPoly.find(p); at != ofPoly.end()) return at->second;
  // What changes seldom is summed first.
  std::vector<std::pair<unsigned, int64_t>> terms;
  for (const auto& [monomial, factor] : p.terms())
    if (!monomial.empty()) terms.emplace_back(product(monomial), factor);
  std::ranges::sort(terms, [&](const auto& x, const auto& y) {
    return std::pair(levels[x.first], x.first) < std::pair(levels[y.first], y.first);
  });
  unsigned sum = constant(p.constantPart());
  if (p.constantPart() == 0 && terms.front().second == 1) {
    sum = terms.front().first;
    terms.erase(terms.begin());
  }
  for (const auto& [term, factor] : terms) {
    Step step;
    step.op = Op::MulAdd;
    step.a = sum;
    step.b = term;
    step.factor = factor;
    sum = emit(step, std::max(levels[sum], levels[term]));
  }
  return ofPoly[p] = sum;
}

unsigned LaneProgram::addCond(const CondPtr& c) {
  Step step;
  switch (c->kind) {
    case CondKind::True:
    case CondKind::False:
    case CondKind::Unknown:
      truths.push_back({c->kind == CondKind::True ? ~0u : 0, c->kind == CondKind::Unknown ? ~0u : 0});
      truthLevels.push_back(0);
      return static_cast<unsigned>(truths.size() - 1);
    case CondKind::AtLeast0:
    case CondKind::Zero:
      step.op = c->kind == CondKind::Zero ? Op::Zero : Op::AtLeast0;
      step.a = add(c->value);
      return emitTruth(step, levels[step.a]);
    case CondKind::And:
    case CondKind::Or: break;
  }
  step.op = c->kind == CondKind::And ? Op::And : Op::Or;
  unsigned out = addCond(c->parts.front());
  for (size_t i = 1; i < c->parts.size(); ++i) {
    step.a = out;
    step.b = addCond(c->parts[i]);
    out = emitTruth(step, std::max(truthLevels[step.a], truthLevels[step.b]));
  }
  return out;
}

void LaneProgram::settle(Lanes& changed) {
  changed.magnitude = 0;
  for (const int64_t v : changed.value) changed.magnitude = std::max(changed.magnitude, sizeOf(v));
}

void LaneProgram::setBlock(const std::array<int64_t, 3>& block) {
  for (size_t axis = 0; axis < 3; ++axis) {
    lanes[blockLanes[axis]].value.fill(block[axis]);
    settle(lanes[blockLanes[axis]]);
  }
}

void LaneProgram::setWarp(const std::array<unsigned, 3>& shape, unsigned first) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned id = first + lane;
    lanes[threadLanes[0]].value[lane] = id % shape[0];
    lanes[threadLanes[1]].value[lane] = id / shape[0] % shape[1];
    lanes[threadLanes[2]].value[lane] = id / shape[0] / shape[1];
  }
  for (const unsigned number : threadLanes) settle(lanes[number]);
}

void LaneProgram::run(unsigned level) {
  for (const Step& step : steps[level]) execute(step);
}

void LaneProgram::execute(const Step& s) {
  switch (s.op) {
    case Op::MulAdd: {
      const Lanes &a = lanes[s.a], &b = lanes[s.b];
      Lanes& out = lanes[s.out];
      const auto most = static_cast<unsigned __int128>(sizeOf(s.factor)) * b.magnitude + a.magnitude;
      out.unknown = a.unknown | b.unknown;
      if (most < safe) {
        for (size_t i = 0; i < 32; ++i) out.value[i] = a.value[i] + s.factor * b.value[i];
        out.magnitude = static_cast<uint64_t>(most);
        return;
      }
      for (size_t i = 0; i < 32; ++i) {
        int64_t v = 0;
        if (__builtin_mul_overflow(s.factor, b.value[i], &v) || __builtin_add_overflow(a.value[i], v, &v)) {
          out.unknown |= 1u << i;
          v = 0;
        }
        out.value[i] = v;
      }
      settle(out);
      return;
    }
    case Op::Mul: {
      const Lanes &a = lanes[s.a], &b = lanes[s.b];
      Lanes& out = lanes[s.out];
      const auto most = static_cast<unsigned __int128>(a.magnitude) * b.magnitude;
      out.unknown = a.unknown | b.unknown;
      if (most < safe) {
        for (size_t i = 0; i < 32; ++i) out.value[i] = a.value[i] * b.value[i];
        out.magnitude = static_cast<uint64_t>(most);
        return;
      }
      for (size_t i = 0; i < 32; ++i)
        if (__builtin_mul_overflow(a.value[i], b.value[i], &out.value[i])) {
          out.unknown |= 1u << i;
          out.value[i] = 0;
        }
      settle(out);
      return;
    }
    case Op::Div: {
      const Lanes &a = lanes[s.a], &b = lanes[s.b];
      Lanes& out = lanes[s.out];
      out.unknown = a.unknown | b.unknown;
      out.magnitude = a.magnitude;
      const int64_t first = b.value[0];
      const bool isSame = std::ranges::all_of(b.value, [&](int64_t v) { return v == first; });
      if (isSame && first > 0 && std::has_single_bit(static_cast<uint64_t>(first))) {
        const int shift = std::countr_zero(static_cast<uint64_t>(first));
        for (size_t i = 0; i < 32; ++i) out.value[i] = a.value[i] >> shift;
        return;
      }
      for (size_t i = 0; i < 32; ++i) {
        if (b.value[i] > 0) {
          out.value[i] = floorDiv(a.value[i], b.value[i]);
        } else {
          out.unknown |= 1u << i;
          out.value[i] = 0;
        }
      }
      return;
    }
    case Op::Bits: {
      const Lanes &a = lanes[s.a], &b = lanes[s.b];
      Lanes& out = lanes[s.out];
      out.unknown = a.unknown | b.unknown;
      for (size_t i = 0; i < 32; ++i) {
        const std::optional<int64_t> v = ir::exactly(s.bits, a.value[i], b.value[i]);
        if (!v) out.unknown |= 1u << i;
        out.value[i] = v.value_or(0);
      }
      settle(out);
      return;
    }
    case Op::Choice: {
      const Lanes &a = lanes[s.a], &b = lanes[s.b];
      const Truth& t = truths[s.c];
      Lanes& out = lanes[s.out];
      out.unknown = t.unknown | (t.yes & a.unknown) | (~t.yes & b.unknown);
      out.magnitude = std::max(a.magnitude, b.magnitude);
      for (size_t i = 0; i < 32; ++i) out.value[i] = t.yes >> i & 1 ? a.value[i] : b.value[i];
      return;
    }
    case Op::AtLeast0:
    case Op::Zero: {
      const Lanes& a = lanes[s.a];
      uint32_t yes = 0;
      if (s.op == Op::Zero)
        for (size_t i = 0; i < 32; ++i) yes |= static_cast<uint32_t>(a.value[i] == 0) << i;
      else
        for (size_t i = 0; i < 32; ++i) yes |= static_cast<uint32_t>(a.value[i] >= 0) << i;
      truths[s.out] = {yes & ~a.unknown, a.unknown};
      return;
    }
    case Op::And: {
      const Truth a = truths[s.a], b = truths[s.b];
      const uint32_t yes = a.yes & b.yes;
      truths[s.out] = {yes, (a.yes | a.unknown) & (b.yes | b.unknown) & ~yes};
      return;
    }
    case Op::Or: {
      const Truth a = truths[s.a], b = truths[s.b];
      const uint32_t yes = a.yes | b.yes;
      truths[s.out] = {yes, (a.unknown | b.unknown) & ~yes};
      return;
    }
  }
}

}  // namespace hone::affine
