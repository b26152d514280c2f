#include "analysis/PerThread.h"

namespace hone::analysis {

using affine::Atom;
using affine::AtomId;
using affine::AtomKind;
using affine::CondKind;
using affine::CondPtr;
using affine::Poly;
using affine::Variation;

PerThread::PerThread(const affine::KernelModel& m) : model(m), atoms(*m.atoms) {
  for (unsigned a = 0; a < 3; ++a) {
    // Axes of one thread may be the number 0 already.
    const Poly coordinate = atoms.thread(a);
    axis[a] = coordinate.atoms().empty() ? UINT32_MAX : coordinate.atoms().front();
  }
  intern(Poly());
}

PerThread::~PerThread() = default;

namespace {

void appendKey(std::string& out, const CondPtr& c) {
  out += static_cast<char>('A' + static_cast<int>(c->kind));
  for (const auto& [monomial, factor] : c->value.terms()) {
    out += std::to_string(factor);
    for (AtomId id : monomial) out += '*' + std::to_string(id);
    out += ';';
  }
  if (c->kind == CondKind::Unknown) {
    out += (c->negated ? '!' : ' ') + std::to_string(c->number);
    // One without a number is equal to nothing but itself.
    if (!c->number) out += 'p' + std::to_string(reinterpret_cast<uintptr_t>(c.get()));
  }
  for (const CondPtr& part : c->parts) appendKey(out, part);
  out += ')';
}

}  // namespace

ThreadCond& PerThread::condition(const CondPtr& cond) {
  std::string key;
  appendKey(key, cond);
  std::unique_ptr<ThreadCond>& at = conditions[key];
  if (!at) at = std::make_unique<ThreadCond>(*this, cond);
  return *at;
}

std::array<unsigned, 3> PerThread::coordinates(unsigned thread) const {
  return {thread % model.block[0], thread / model.block[0] % model.block[1],
          thread / model.block[0] / model.block[1]};
}

namespace {

// A choice by a condition of which nothing is known has a value per thread, whatever its arms are.
bool isNamedByThread(const affine::Atoms& atoms, const Atom& atom) {
  if (atom.kind == AtomKind::Opaque) return !atom.varies.isUniform();
  return atom.kind == AtomKind::Choice && hasUnknown(atom.cond) && !atoms.variation(atom.cond).isUniform();
}

Variation variationOf(const affine::Atoms& atoms, const Atom& atom, AtomId id) {
  return atom.kind == AtomKind::Opaque ? atom.varies : atoms.variation(Poly::atom(id));
}

}  // namespace

PerThread::Value PerThread::intern(const Poly& value) {
  const int64_t number = value.constantPart();
  Poly without = number ? value - Poly(number) : value;
  const auto [at, isNew] = ids.try_emplace(without, static_cast<unsigned>(symbols.size()));
  if (isNew) symbols.push_back({std::move(without), atoms.range(at->first), at->first.content()});
  return {at->second, number};
}

const Atom* PerThread::unrelated(const Poly& value) const {
  const Atom* found = nullptr;
  atoms.forEachAtom(value, [&](AtomId id) {
    const Atom& atom = atoms[id];
    if (!found && isNamedByThread(atoms, atom) && variationOf(atoms, atom, id).anyThread) found = &atom;
  });
  return found;
}

unsigned PerThread::tagOf(const Variation& varies, unsigned thread) const {
  if (varies.anyThread) return thread;
  const std::array<unsigned, 3> at = coordinates(thread);
  unsigned tag = 0;
  for (unsigned a = 3; a-- > 0;) tag = tag * model.block[a] + (varies.threadAxes >> a & 1 ? at[a] : 0);
  return tag;
}

Poly PerThread::substitute(const Poly& value, unsigned thread) {
  affine::Atoms::Substitution values;
  const std::array<unsigned, 3> xyz = coordinates(thread);
  for (unsigned a = 0; a < 3; ++a)
    if (axis[a] != UINT32_MAX) values[axis[a]] = Poly(xyz[a]);
  std::vector<AtomId> tagged;
  atoms.forEachAtom(value, [&](AtomId id) {
    if (isNamedByThread(atoms, atoms[id])) tagged.push_back(id);
  });
  for (AtomId id : tagged) {
    const Atom atom = atoms[id];  // a copy: the table grows
    const Variation varies = variationOf(atoms, atom, id);
    const unsigned tag = tagOf(varies, thread);
    const auto [at, isNew] = named.try_emplace({id, tag});
    if (isNew) {
      const bool isOpaque = atom.kind == AtomKind::Opaque;
      Variation left = varies;
      left.threadAxes = 0, left.anyThread = false;
      const affine::Range range = atoms.range(Poly::atom(id));
      at->second =
          atoms.opaque((isOpaque ? atom.name : atoms.str(Poly::atom(id))) + "@" + std::to_string(tag),
                       isOpaque ? atom.reason : unknownReason(atom.cond), left, range.low, range.high);
    }
    values[id] = at->second;
  }
  return atoms.substitute(value, values);
}

ThreadValue::ThreadValue(PerThread& p, const Poly& given) : perThread(p) {
  const affine::Atoms& atoms = p.atoms;
  // The coordinate along an axis of one thread is 0.
  affine::Atoms::Substitution none;
  atoms.forEachAtom(given, [&](AtomId id) {
    if (atoms[id].kind == AtomKind::Thread && p.model.block[atoms[id].axis] == 1) none[id] = Poly();
  });
  const Poly value = none.empty() ? given : p.atoms.substitute(given, none);
  for (const auto& [monomial, f] : value.terms()) {
    bool isUniform = true;
    for (AtomId id : monomial) isUniform = isUniform && atoms.variation(Poly::atom(id)).isUniform();
    if (isUniform)
      uniform.add(monomial, f);
    else if (monomial.size() == 1 && atoms[monomial[0]].kind == AtomKind::Thread)
      factor[atoms[monomial[0]].axis] = f;
    else
      rest.add(monomial, f);
  }
  varies = atoms.variation(rest);
  all = atoms.variation(value);
  atoms.forEachAtom(rest, [&](AtomId id) { named = named || isNamedByThread(atoms, atoms[id]); });
  if (rest.isZero()) known[0] = p.intern(uniform);
}

PerThread::Value ThreadValue::at(unsigned thread) {
  const unsigned tag = rest.isZero() ? 0 : perThread.tagOf(varies, thread);
  auto found = known.find(tag);
  if (found == known.end())
    found = known.emplace(tag, perThread.intern(uniform + perThread.substitute(rest, thread))).first;
  PerThread::Value out = found->second;
  const std::array<unsigned, 3> xyz = perThread.coordinates(thread);
  for (unsigned a = 0; a < 3; ++a)
    if (factor[a]) out.number = affine::checkedAdd(out.number, affine::checkedMul(factor[a], xyz[a]));
  return out;
}

ThreadCond::ThreadCond(PerThread& p, const CondPtr& cond)
    : perThread(p), varies(p.atoms.variation(cond)), root(partOf(cond)) {}

ThreadCond::Part ThreadCond::partOf(const CondPtr& cond) {
  Part out;
  out.cond = cond;
  for (const CondPtr& part : cond->parts) out.parts.push_back(partOf(part));
  if (cond->kind == CondKind::AtLeast0 || cond->kind == CondKind::Zero)
    out.value.emplace_back(perThread, cond->value);
  return out;
}

const ThreadCond::State& ThreadCond::at(unsigned thread) {
  const auto [at, isNew] = known.try_emplace(perThread.tagOf(varies, thread));
  if (isNew) at->second.decided = evaluate(root, thread, at->second);
  return at->second;
}

std::optional<bool> ThreadCond::evaluate(Part& part, unsigned thread, State& state) {
  switch (part.cond->kind) {
    case CondKind::True: return true;
    case CondKind::False: return false;
    case CondKind::And:
    case CondKind::Or: {
      const bool isAnd = part.cond->kind == CondKind::And;
      bool isOpen = false;
      for (Part& one : part.parts) {
        const std::optional<bool> holds = evaluate(one, thread, state);
        if (holds && *holds != isAnd) return !isAnd;
        isOpen = isOpen || !holds;
      }
      return isOpen ? std::nullopt : std::optional(isAnd);
    }
    case CondKind::Unknown:
      // One that is known to be the same for all threads needs no mark.
      state.open.push_back({UINT32_MAX, part.cond->varies.isUniform()
                                            ? 0
                                            : 1 + int64_t(perThread.tagOf(part.cond->varies, thread))});
      return std::nullopt;
    case CondKind::AtLeast0:
    case CondKind::Zero: break;
  }
  const bool isZero = part.cond->kind == CondKind::Zero;
  if (part.value[0].isNamed()) {
    state.open.push_back({UINT32_MAX, 1 + int64_t(part.value[0].tagOf(thread))});
    return std::nullopt;
  }
  PerThread::Value v = part.value[0].at(thread);
  const PerThread::Symbolic& s = perThread.symbols[v.symbolic];
  if (v.symbolic == 0) {
    state.open.push_back({0, isZero ? v.number == 0 : v.number >= 0});
    return isZero ? v.number == 0 : v.number >= 0;
  }
  auto plus = [&](int64_t bound) {
    int64_t out = 0;
    return __builtin_add_overflow(bound, v.number, &out) ? bound : out;
  };
  const bool hasLow = s.range.low != INT64_MIN, hasHigh = s.range.high != INT64_MAX;
  std::optional<bool> decided;
  if (!isZero && hasLow && plus(s.range.low) >= 0) decided = true;
  if (hasHigh && plus(s.range.high) < 0) decided = false;
  if (isZero && hasLow && plus(s.range.low) > 0) decided = false;
  if (isZero && affine::floorMod(v.number, s.content)) decided = false;
  if (decided) {
    state.open.push_back({0, *decided});
    return decided;
  }
  // p + c >= 0 where all of p is a multiple of g: the rest of c does not matter.
  if (!isZero) v.number = affine::floorDiv(v.number, s.content);
  state.open.push_back(v);
  return std::nullopt;
}

bool mayDiffer(const affine::Atoms& atoms, const CondPtr& cond) { return !atoms.variation(cond).isUniform(); }

}  // namespace hone::analysis
