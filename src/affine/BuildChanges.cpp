// How a loop changes variables.
//
// One iteration is tried with a placeholder for every variable it assigns: what the iteration does to the
// placeholder shows how the variable changes (by the same amount each iteration, back and forth, by a rule
// that can be listed, or in no way that is known).
#include <fmt/core.h>

#include <algorithm>

#include "affine/Builder.h"

namespace hone::affine {

using ir::TypeKind;

namespace {

constexpr size_t mostListed = 64;

// Each loop is tried once for every way to try the loops around it: beyond these, what it changes is not
// known.
constexpr int deepestTrial = 6;
constexpr size_t mostTrials = 2000;

}  // namespace

bool mentionsDeeply(const Atoms& atoms, const Poly& p, AtomId id) {
  bool found = false;
  atoms.forEachAtom(p, [&](AtomId a) { found |= a == id; });
  return found;
}

bool mentionsDeeply(const Atoms& atoms, const CondPtr& c, AtomId id) {
  bool found = false;
  atoms.forEachAtom(c, [&](AtomId a) { found |= a == id; });
  return found;
}

std::vector<Builder::Change> Builder::changesOf(const LoopParts& parts, LoopId loop, bool& mayLeave) {
  ir::StmtList all = parts.step;
  all.push_back(parts.body);
  const ir::StmtPtr iteration = ir::block(all);
  const std::set<const ir::Variable*> declared = ir::declaredVariables(iteration);
  const std::set<const ir::Variable*> inBody = ir::assignedVariables(parts.body);
  std::vector<Change> changes;
  for (const ir::Variable* var : ir::inSourceOrder(ir::assignedVariables(iteration))) {
    if (declared.contains(var) || exposed.contains(var) || var->space != ir::Space::Private ||
        var->storage == ir::Storage::Global || var->type->is(TypeKind::Array))
      continue;
    Change change;
    change.var = var;
    change.before = variableValue(ir::VarPtr(std::shared_ptr<void>(), var));
    changes.push_back(std::move(change));
  }

  // Try an iteration.
  const State outer = state;
  const CondPtr outerGuard = guard;
  const std::set<unsigned> outerRequirements = guardRequirements;
  const bool wasRecording = recording;
  const size_t loopsBefore = nextLoop, requirementsBefore = model.requirements.size();
  recording = false;
  ++trials;
  std::set<AtomId> placeholders;
  for (Change& change : changes) {
    Variation varies = variationOf(change.before);
    varies.loops |= loopBit(loop);
    const Poly hole = atoms.opaque(
        fmt::format("{}@{}", change.var->name, ++nextUnknown),
        fmt::format("`{}` changes in loop `{}`", change.var->name, model.loops[loop].handle), varies);
    change.placeholder = hole.atoms().front();
    placeholders.insert(change.placeholder);
    Value& v = state[change.var];
    if (change.before.isPointer() && change.before.array.isSome()) {
      v = pointerValue(change.before.array, hole);
    } else if (change.var->type->is(TypeKind::Int)) {
      v = numberValue(hole);
    } else {
      v = opaqueOf(*change.var->type, change.var->name,
                   fmt::format("`{}` changes in loop `{}`", change.var->name, model.loops[loop].handle),
                   varies);
    }
  }
  nest.push_back(loop);
  Leaves leaves;
  const bool tooDeep = trials > deepestTrial || ++triedIterations > mostTrials;
  if (!tooDeep) leaves = iterationOnce(parts);
  nest.pop_back();
  for (Change& change : changes) change.after = state[change.var];
  --trials;
  recording = wasRecording;
  nextLoop = loopsBefore;
  model.requirements.resize(requirementsBefore);
  guard = outerGuard;
  guardRequirements = outerRequirements;
  state = outer;

  mayLeave = leaves.byBreak->kind != CondKind::False || leaves.byReturn->kind != CondKind::False;
  const bool mayContinue = leaves.byContinue->kind != CondKind::False;
  for (Change& change : changes) {
    change.mayBreak = leaves.byBreak->kind != CondKind::False;
    std::erase_if(change.after.requirements, [&](unsigned r) { return r >= requirementsBefore; });
    if (tooDeep || change.after.kind != change.before.kind) continue;
    // A continue may leave an iteration before it has changed the variable.
    if (mayContinue && inBody.contains(change.var)) continue;
    const bool isPointer = change.before.isPointer();
    if (isPointer ? change.before.array.isNone() || change.after.array != change.before.array
                  : !change.before.isNumber())
      continue;
    change.isFollowed = true;
    Poly delta;
    try {
      delta = (isPointer ? change.after.bytes : change.after.poly) - Poly::atom(change.placeholder);
    } catch (const TooLarge&) {
      continue;
    }
    bool isInvariant = (atoms.variation(delta).loops & loopBit(loop)) == 0;
    atoms.forEachAtom(delta, [&](AtomId id) { isInvariant &= !placeholders.contains(id); });
    if (isInvariant)
      change.delta = delta;
    else if (!isPointer)
      change.shift = shiftOf(change);
  }
  findCycles(changes, loop);
  return changes;
}

// Doubled or halved each iteration, or more than that: by how many bits.
int Builder::shiftOf(const Change& change) {
  const Poly hole = Poly::atom(change.placeholder);
  const bool isPositive = atoms.range(change.before.poly).low >= 0;
  for (int bits = 1; bits <= 8; ++bits) {
    const int64_t factor = int64_t{1} << bits;
    if (change.after.poly == hole * Poly(factor)) return bits;
    const Poly down = atoms.div(hole, factor);
    if (change.after.poly == down) return -bits;
    // C's own quotient, of what is not negative.
    if (isPositive && change.after.poly == atoms.choice(atLeast0(hole), down, -atoms.div(-hole, factor)))
      return -bits;
  }
  return 0;
}

// Without the parts of an Or that the ranges rule out.
CondPtr Builder::whatCanHold(const CondPtr& c) {
  if (c->kind != CondKind::Or) return c;
  std::vector<CondPtr> left;
  for (const CondPtr& part : c->parts)
    if (atoms.choice(part, 1, 0) != Poly(0)) left.push_back(part);
  return anyOf(std::move(left));
}

// value >= 0 fails at some iteration and then in all that follow: it goes down with what is shifted each
// iteration.
bool Builder::isSteadyTest(const Poly& value, AtomId counter) {
  for (AtomId id : value.atoms()) {
    const Atom& shifted = atoms[id];
    if (shifted.kind != AtomKind::Bits || !mentionsDeeply(atoms, Poly::atom(id), counter)) continue;
    const auto slope = value.coefficient(id).constant(),
               speed = shifted.divisor.coefficient(counter).constant();
    const Poly rest = value.without(id);
    if (!slope || !speed || *speed <= 0 || shifted.divisor.constantPart() != 0 ||
        mentionsDeeply(atoms, rest, counter) || mentionsDeeply(atoms, shifted.value, counter))
      return false;
    const int64_t least = atoms.range(shifted.value).low;
    if (shifted.op == ir::BinaryOp::Shr) return *slope > 0 && least >= 0 && atoms.range(rest).high < 0;
    return shifted.op == ir::BinaryOp::Shl && *slope < 0 && least >= 1;
  }
  return false;
}

// Variables that go round: 0, 1, 0, 1, …, two pointers that are swapped. What they depend on goes round with
// them.
void Builder::findCycles(std::vector<Change>& changes, LoopId loop) {
  constexpr size_t longest = 4;
  const auto polyOf = [](const Value& v) -> const Poly& { return v.isPointer() ? v.bytes : v.poly; };
  for (Change& change : changes) {
    if (change.delta || !change.isFollowed) continue;
    // The variables whose values the next one is made of.
    std::vector<Change*> group = {&change};
    bool isClosed = true;
    for (size_t i = 0; i < group.size() && isClosed; ++i)
      atoms.forEachAtom(polyOf(group[i]->after), [&](AtomId id) {
        for (Change& other : changes) {
          if (other.placeholder != id || std::ranges::find(group, &other) != group.end()) continue;
          isClosed &= other.isFollowed && !other.delta;
          group.push_back(&other);
        }
      });
    if (!isClosed) continue;
    std::vector<Poly> first, now;
    for (const Change* member : group) first.push_back(polyOf(member->before));
    now = first;
    std::vector<Poly> cycle;
    try {
      for (size_t iteration = 0; iteration < longest; ++iteration) {
        cycle.push_back(now.front());
        Atoms::Substitution values;
        for (size_t i = 0; i < group.size(); ++i) values[group[i]->placeholder] = now[i];
        for (size_t i = 0; i < group.size(); ++i) now[i] = atoms.substitute(polyOf(group[i]->after), values);
        if (now == first) break;
      }
    } catch (const TooLarge&) {
      continue;
    }
    const bool isInvariant = std::ranges::none_of(
        cycle, [&](const Poly& p) { return (atoms.variation(p).loops & loopBit(loop)) != 0; });
    if (now == first && cycle.size() > 1 && isInvariant) change.cycle = std::move(cycle);
  }
}

// Member number `phase` of a cycle.
Poly Builder::inPhase(const std::vector<Poly>& cycle, const Poly& phase) {
  if (cycle.size() == 2) return cycle[0] + (cycle[1] - cycle[0]) * phase;
  Poly chosen = cycle.back();
  for (size_t i = cycle.size() - 1; i-- > 0;)
    chosen = atoms.choice(isZero(phase - Poly(static_cast<int64_t>(i))), cycle[i], chosen);
  return chosen;
}

// The values that a variable takes when each follows from the one before; nothing when they do not come to an
// end.
std::optional<std::vector<int64_t>> Builder::listedValues(const Change& change, const LoopParts& parts) {
  if (!change.before.isNumber() || !change.after.isNumber()) return std::nullopt;
  auto now = change.before.poly.constant();
  if (!now) return std::nullopt;
  const State outer = state;
  const size_t requirementsBefore = model.requirements.size();
  std::vector<int64_t> values;
  bool ends = false;
  for (bool isFirst = true; values.size() <= mostListed; isFirst = false) {
    state[change.var] = numberValue(*now);
    std::set<unsigned> unused;
    const CondPtr runs = isFirst && parts.testsLast ? always() : truth(parts.cond, unused);
    if (runs->kind == CondKind::False) {
      ends = true;
      break;
    }
    if (std::ranges::find(values, *now) != values.end()) {
      ends = runs->kind != CondKind::True;  // only what is not known yet ends it
      break;
    }
    values.push_back(*now);
    std::optional<int64_t> next;
    try {
      next = atoms.substitute(change.after.poly, {{change.placeholder, Poly(*now)}}).constant();
    } catch (const TooLarge&) {}
    if (!next || *next > (int64_t{1} << 40)) {
      ends = next.has_value();
      break;
    }
    now = next;
  }
  state = outer;
  model.requirements.resize(requirementsBefore);
  if (!ends || values.empty() || values.size() > mostListed) return std::nullopt;
  return values;
}

}  // namespace hone::affine
