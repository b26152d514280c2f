// Loops.
//
//   1. One iteration is tried to see how it changes variables (BuildChanges.cpp).
//   2. The variables get their values in iteration k, and the condition over them says which iterations run.
//   3. The body is walked for good; afterwards the variables have the values that the last iteration left.
#include <fmt/core.h>

#include <algorithm>

#include "affine/Builder.h"
#include "affine/Implied.h"

namespace hone::affine {

using ir::as;
using ir::TypeKind;

namespace {

// a != b, written as two ways to differ: the one that a counter which moves towards it stays in.
std::optional<Poly> sideThatEnds(const Cond& cond, AtomId counter) {
  if (cond.kind != CondKind::Or || cond.parts.size() != 2) return std::nullopt;
  const Cond &a = *cond.parts[0], &b = *cond.parts[1];
  if (a.kind != CondKind::AtLeast0 || b.kind != CondKind::AtLeast0) return std::nullopt;
  if (a.value + b.value != Poly(-2)) return std::nullopt;
  for (const Cond* side : {&a, &b}) {
    const auto slope = side->value.coefficient(counter).constant();
    if (slope && *slope == -1) return side->value;
  }
  return std::nullopt;
}

}  // namespace

Leaves Builder::iterationOnce(const LoopParts& parts) {
  Leaves leaves = statement(parts.body);
  for (const ir::StmtPtr& s : parts.step) statement(s);
  return leaves;
}

// Decides what the loop's counter counts. True when it is the listed value of a variable.
bool Builder::chooseCounter(Loop& loop, std::vector<Change>& changes, const LoopParts& parts) {
  if (!parts.cond) return false;
  std::set<const ir::Variable*> tested;
  ir::walkExprs(parts.cond, [&](const ir::Expr& e) {
    if (const auto* use = e.as<ir::VarRef>()) tested.insert(use->var.get());
  });
  for (Change& change : changes) {
    if (!tested.contains(change.var)) continue;
    if (change.delta) {
      if (loop.var == nullptr) {
        loop.var = ir::VarPtr(std::shared_ptr<void>(), change.var);
        ir::walkExprs(parts.cond, [&](const ir::Expr& e) {
          if (const auto* use = e.as<ir::VarRef>(); use && use->var.get() == change.var) loop.var = use->var;
        });
        loop.first = change.before.isPointer() ? change.before.bytes : change.before.poly;
        loop.step = *change.delta;
      }
      if (change.delta->constant() || loop.byDistance) continue;
      loop.byDistance = true;
      loop.first = change.before.isPointer() ? change.before.bytes : change.before.poly;
      loop.step = *change.delta;
      if (atoms.range(-loop.step).low >= 0) loop.step = -loop.step;
    } else if (auto values = listedValues(change, parts)) {
      ir::walkExprs(parts.cond, [&](const ir::Expr& e) {
        if (const auto* use = e.as<ir::VarRef>(); use && use->var.get() == change.var) loop.var = use->var;
      });
      loop.values = std::move(*values);
      loop.first = change.before.poly;
      return true;
    }
  }
  return false;
}

// The value of a variable at the start of an iteration.
Value Builder::inIteration(const Change& change, const Loop& loop, LoopId index, bool isListed) {
  Variation varies = variationOf(change.before);
  varies |= variationOf(change.after);
  varies.loops |= loopBit(index);
  const Value opaque = opaqueOf(
      *change.var->type, change.var->name,
      fmt::format("`{}` changes from iteration to iteration in loop `{}`", change.var->name, loop.handle),
      varies);
  try {
    return closedForm(change, loop, index, isListed).value_or(opaque);
  } catch (const TooLarge&) {
    return opaque;
  }
}

std::optional<Value> Builder::closedForm(const Change& change, const Loop& loop, LoopId index,
                                         bool isListed) {
  const Poly counter = atoms.loop(index);
  const ir::Type& type = *change.var->type;
  Value out = change.before;
  out.requirements.insert(change.after.requirements.begin(), change.after.requirements.end());
  Poly& value = out.isPointer() ? out.bytes : out.poly;
  if (isListed) {
    if (loop.var.get() == change.var) {
      value = counter;
    } else if (!change.cycle.empty()) {
      // The iteration is known by the value that it has.
      const size_t period = change.cycle.size();
      Poly chosen = change.cycle.front();
      for (size_t phase = 1; phase < period; ++phase) {
        std::vector<CondPtr> iterations;
        for (size_t i = phase; i < loop.values.size(); i += period)
          iterations.push_back(isZero(counter - Poly(loop.values[i])));
        chosen = atoms.choice(anyOf(std::move(iterations)), change.cycle[phase], chosen);
      }
      value = chosen;
    } else if (!change.delta || !change.delta->isZero()) {
      return std::nullopt;
    }
    return out;
  }
  if (change.delta) {
    if (loop.byDistance) {
      // A multiple of the distance, or nothing that is known.
      const auto first = loop.step.terms().begin();
      const auto mine = change.delta->terms().find(first->first);
      if (mine == change.delta->terms().end() || mine->second % first->second != 0) return std::nullopt;
      const int64_t factor = mine->second / first->second;
      if (*change.delta != loop.step * Poly(factor)) return std::nullopt;
      value += counter * Poly(factor);
    } else {
      value += counter * *change.delta;
    }
  } else if (!change.cycle.empty() && !loop.byDistance) {
    value = inPhase(change.cycle, atoms.mod(counter, static_cast<int64_t>(change.cycle.size())));
  } else if (change.shift != 0 && !loop.byDistance) {
    value = atoms.bits(change.shift > 0 ? ir::BinaryOp::Shl : ir::BinaryOp::Shr, value,
                       counter * Poly(change.shift > 0 ? change.shift : -change.shift));
  } else {
    return std::nullopt;
  }
  if (out.isNumber() && type.is(TypeKind::Int)) {
    out.modular = !type.isSigned;
    markModular(out, type);
  }
  return out;
}

// The condition under which an iteration runs, and whether the iterations are exactly those.
void Builder::setRuns(Loop& loop, const LoopParts& parts, std::set<unsigned>& requirements) {
  const AtomId counter = loop.counter;
  CondPtr cond = parts.cond ? truth(parts.cond, requirements) : always();
  std::vector<CondPtr> tests = conjuncts(cond);
  bool isBounded = !loop.values.empty();
  const auto over = [&](const std::string& why) {
    if (loop.exactness != Exactness::Exact) return;
    loop.exactness = Exactness::Over;
    loop.inexact = why;
  };
  for (CondPtr& part : tests) {
    if (hasUnknown(part)) {
      over(fmt::format("loop {} may end early: {}", loop.handle, unknownReason(part)));
      continue;
    }
    bool opaque = false;
    std::string why;
    atoms.forEachAtom(part, [&](AtomId id) {
      if (atoms[id].kind != AtomKind::Opaque) return;
      opaque = true;
      why = atoms[id].reason;
    });
    if (opaque) {
      over(fmt::format("how often loop {} runs is not known: {}", loop.handle, why));
    }
    if (loop.values.empty())
      if (auto side = sideThatEnds(*part, counter)) part = atLeast0(*side);
    if (!mentionsDeeply(atoms, part, counter) || !loop.values.empty()) continue;
    part = whatCanHold(part);
    if (part->kind == CondKind::AtLeast0 && !opaque && isSteadyTest(part->value, counter)) {
      isBounded = true;
      continue;
    }
    const auto slope =
        part->kind == CondKind::AtLeast0 ? part->value.coefficient(counter).constant() : std::nullopt;
    const bool isPlain = slope && !mentionsDeeply(atoms, part->value.without(counter), counter);
    if (isPlain && *slope < 0) {
      isBounded |= !opaque;
      if (!opaque) continue;
    } else {
      over(fmt::format("the condition of loop {} is not linear in its counter", loop.handle));
      // Still a test that the iterations pass one after the other until it fails.
      isBounded |= !opaque && part->kind != CondKind::True;
    }
  }
  if (loop.byDistance && atoms.range(loop.step).low < 1) {
    Value holder;
    require(holder, loop.step, 1, INT64_MAX, "a loop must step forwards", loop.stmt->loc);
    requirements.insert(holder.requirements.begin(), holder.requirements.end());
  }
  loop.runs = allOf(tests);
  if (parts.testsLast && loop.values.empty()) loop.runs = anyOf({isZero(Poly::atom(counter)), loop.runs});
  if (!isBounded) {
    if (loop.inexact.empty()) loop.inexact = fmt::format("how often loop {} runs is not known", loop.handle);
    loop.exactness = Exactness::Unknown;
  }
}

// What the counter would be after the last iteration, from the one test that ends the loop.
std::optional<Poly> Builder::iterationsDone(const Loop& loop, bool mayLeave) {
  const CondPtr& test = loop.runs;
  if (loop.exactness != Exactness::Exact || mayLeave || !loop.values.empty() ||
      test->kind != CondKind::AtLeast0)
    return std::nullopt;
  const Poly start = test->value.without(loop.counter);
  const auto slope = test->value.coefficient(loop.counter).constant();
  if (!slope || *slope >= 0 || mentionsDeeply(atoms, start, loop.counter)) return std::nullopt;
  try {
    const Poly divisor = loop.byDistance ? loop.step * Poly(-*slope) : Poly(-*slope);
    if (loop.byDistance && !atoms.isLaunchUniform(divisor)) return std::nullopt;
    const Poly iterations = atoms.choice(atLeast0(start), atoms.div(start, divisor) + Poly(1), 0);
    return loop.byDistance ? iterations * loop.step : iterations;
  } catch (const TooLarge&) {
    return std::nullopt;
  }
}

// Every listed value has its iteration, whatever the launch.
bool Builder::allListedRun(const Loop& loop) {
  return loop.exactness == Exactness::Exact && std::ranges::all_of(loop.values, [&](int64_t value) {
           return atoms.substitute(loop.runs, {{loop.counter, Poly(value)}})->kind == CondKind::True;
         });
}

void Builder::valuesAfter(const Loop& loop, LoopId index, const std::vector<Change>& changes, bool mayLeave) {
  std::optional<Poly> end = iterationsDone(loop, mayLeave);
  const AtomId counter = loop.counter;
  for (const Change& change : changes) {
    Value v = inIteration(change, loop, index, !loop.values.empty());
    Variation varies = variationOf(change.before);
    varies |= variationOf(change.after);
    varies |= atoms.variation(loop.runs);
    varies.loops &= ~loopBit(index);
    bool isKnown = false;
    if (change.delta && change.delta->isZero()) {
      // What is assigned on the way to a break shows in no iteration that goes on.
      v = change.before;
      isKnown = !change.mayBreak;
    } else if (end && (change.delta || !change.cycle.empty()) && (v.isNumber() || v.isPointer())) {
      Poly& p = v.isPointer() ? v.bytes : v.poly;
      bool hasOpaque = false;
      atoms.forEachAtom(p, [&](AtomId id) {
        hasOpaque |= atoms[id].kind == AtomKind::Opaque && (atoms[id].varies.loops & loopBit(index));
      });
      if (!hasOpaque) try {
          p = atoms.substitute(p, {{counter, *end}});
          isKnown = true;
        } catch (const TooLarge&) {}
    } else if (!loop.values.empty() && !mayLeave && allListedRun(loop)) {
      const size_t iterations = loop.values.size();
      if (!change.cycle.empty()) {
        v = change.before;
        (v.isPointer() ? v.bytes : v.poly) = change.cycle[iterations % change.cycle.size()];
        isKnown = true;
      } else if (loop.var.get() == change.var) {
        v = numberValue(
            atoms.substitute(change.after.poly, {{change.placeholder, Poly(loop.values.back())}}));
        isKnown = v.poly.constant().has_value();
      }
    }
    if (!isKnown)
      v = opaqueOf(*change.var->type, change.var->name,
                   fmt::format("`{}` as loop `{}` leaves it", change.var->name, loop.handle), varies);
    state[change.var] = std::move(v);
  }
}

Leaves Builder::loopStatement(const ir::StmtPtr& s, const LoopParts& parts) {
  const LoopId index(nextLoop++);
  Loop& loop = model.loops[index];
  loop.counter = atoms.loop(index).atoms().front();
  loop.var = nullptr;
  loop.values.clear();
  loop.byDistance = false;
  loop.exactness = Exactness::Exact;
  loop.inexact.clear();
  loop.step = 0;
  loop.first = 0;
  loopRequirements[index].clear();

  bool mayLeave = false;
  std::vector<Change> changes = changesOf(parts, index, mayLeave);
  const bool isListed = chooseCounter(loop, changes, parts);
  if (isListed) {
    const auto [least, most] = std::ranges::minmax(loop.values);
    atoms.setRange(loop.counter, least, most);
  } else {
    atoms.setRange(loop.counter, 0, INT64_MAX);
  }
  // Which way a distance of unknown sign goes shows in the test.
  const auto enter = [&] {
    for (const Change& change : changes) state[change.var] = inIteration(change, loop, index, isListed);
  };
  const State outer = state;
  enter();
  std::set<unsigned> requirements;
  if (loop.byDistance && parts.cond) {
    std::set<unsigned> unused;
    for (const CondPtr& part : conjuncts(truth(parts.cond, unused))) {
      const auto slope =
          part->kind == CondKind::AtLeast0 ? part->value.coefficient(loop.counter).constant() : std::nullopt;
      if (!slope || *slope <= 0 || atoms.range(loop.step).low >= 1) continue;
      loop.step = -loop.step;
      state = outer;
      enter();
      break;
    }
  }
  setRuns(loop, parts, requirements);
  // The counter goes by the variable's name where it has the variable's value.
  if (loop.var && (isListed || (loop.first.isZero() && loop.step == Poly(1))))
    atoms.loopNames[index] = loop.var->name;
  if (mayLeave && loop.exactness == Exactness::Exact) {
    loop.exactness = Exactness::Over;
    loop.inexact = fmt::format("loop {} may end early by break or return", loop.handle);
  }
  loopRequirements[index] = requirements;
  loop.requirements.assign(requirements.begin(), requirements.end());

  nest.push_back(index);
  addEvent({.kind = EventKind::Enter, .loop = index});
  if (!parts.testsLast) recordAccesses(s);
  Leaves inner = iterationOnce(parts);
  if (parts.testsLast) recordAccesses(s);
  addEvent({.kind = EventKind::Leave, .loop = index});
  nest.pop_back();
  state = outer;
  valuesAfter(loop, index, changes, mayLeave);

  Leaves out;
  if (inner.byReturn->kind != CondKind::False) {
    Variation varies = atoms.variation(inner.byReturn);
    varies |= atoms.variation(loop.runs);
    varies.loops &= ~loopBit(index);
    out.byReturn = newUnknown(fmt::format("a return inside loop {}", loop.handle), varies);
  }
  return out;
}

}  // namespace hone::affine
