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

PerThread::Parts PerThread::findParts(
    const std::function<void(const std::function<void(AtomId)>&)>& forEach) const {
  Parts parts;
  forEach([&](AtomId id) {
    const Atom& atom = atoms[id];
    if (atom.kind == AtomKind::Thread) parts.isUniform = false;
    if (!isNamedByThread(atoms, atom)) return;
    parts.isUniform = false;
    parts.tagged.push_back(id);
  });
  return parts;
}

const PerThread::Parts& PerThread::partsOf(const Poly& value) {
  auto [at, isNew] = known.try_emplace(value);
  if (isNew)
    at->second = findParts([&](const std::function<void(AtomId)>& fn) { atoms.forEachAtom(value, fn); });
  return at->second;
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

affine::Atoms::Substitution PerThread::substitution(const Parts& parts, unsigned thread) {
  affine::Atoms::Substitution values;
  const std::array<unsigned, 3> xyz = coordinates(thread);
  for (unsigned a = 0; a < 3; ++a)
    if (axis[a] != UINT32_MAX) values[axis[a]] = Poly(xyz[a]);
  for (AtomId id : parts.tagged) {
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
  return values;
}

Poly PerThread::of(const Poly& value, unsigned thread) {
  const Parts& parts = partsOf(value);
  if (parts.isUniform) return value;
  return atoms.substitute(value, substitution(parts, thread));
}

CondPtr PerThread::tagUnknown(const CondPtr& cond, unsigned thread) const {
  switch (cond->kind) {
    case CondKind::And:
    case CondKind::Or: {
      std::vector<CondPtr> parts;
      for (const CondPtr& part : cond->parts) parts.push_back(tagUnknown(part, thread));
      return cond->kind == CondKind::And ? affine::allOf(std::move(parts)) : affine::anyOf(std::move(parts));
    }
    case CondKind::Unknown: {
      if (cond->varies.isUniform()) return cond;
      // One without a number is equal to nothing but itself.
      const uint32_t number = cond->number ? cond->number + ((tagOf(cond->varies, thread) + 1) << 16) : 0;
      CondPtr tagged = affine::unknownCond(cond->reason, cond->varies, number);
      return cond->negated ? affine::negation(tagged) : tagged;
    }
    default: return cond;
  }
}

CondPtr PerThread::of(const CondPtr& cond, unsigned thread) {
  if (!mayDiffer(atoms, cond)) return cond;
  const Parts parts = findParts([&](const std::function<void(AtomId)>& fn) { atoms.forEachAtom(cond, fn); });
  return tagUnknown(atoms.substitute(cond, substitution(parts, thread)), thread);
}

bool mayDiffer(const affine::Atoms& atoms, const CondPtr& cond) { return !atoms.variation(cond).isUniform(); }

}  // namespace hone::analysis
