#include "analysis/GuardBounds.h"

#include <algorithm>

namespace hone::analysis {

using namespace affine;

namespace {

// Values that are not negative where the access happens.
class Known {
 public:
  Known(const KernelModel& kernelModel, const Access& access) : model(kernelModel), atoms(*model.atoms) {
    add(access.guard);
    for (const LoopId loop : access.loops)
      if (const CondPtr& runs = model.loops[loop].runs) add(runs);
  }

  // Each step adds a multiple of such a value that takes away terms which vary, the one that adds least.
  std::optional<Poly> above(Poly p) {
    for (;;) {
      const std::vector<AtomId> varying = varyingAtoms(p);
      if (varying.empty()) return p;
      std::optional<Poly> next;
      auto offer = [&](const std::optional<Poly>& other) {
        if (other && (!next || atoms.range(*next - *other).low >= 0)) next = other;
      };
      for (size_t i = 0; i < varying.size() && !next; ++i)
        for (const Poly& value : values) offer(shorter(p, varying[i], value, varying.size()));
      for (size_t i = 0; i < varying.size() && !next; ++i)
        for (const Poly& value : endsOf(varying[i])) offer(shorter(p, varying[i], value, varying.size()));
      if (!next) return std::nullopt;
      p = *next;
    }
  }

 private:
  void add(const CondPtr& cond) {
    if (cond->kind == CondKind::And)
      for (const CondPtr& part : cond->parts) add(part);
    if (cond->kind == CondKind::AtLeast0 || cond->kind == CondKind::Zero) values.push_back(cond->value);
    if (cond->kind == CondKind::Zero) values.push_back(-cond->value);
  }

  std::vector<AtomId> varyingAtoms(const Poly& p) const {
    std::vector<AtomId> out;
    for (const AtomId id : p.atoms())
      if (!atoms.isLaunchUniform(Poly::atom(id))) out.push_back(id);
    return out;
  }

  // p + k * value without the atom, where k is a number above 0 and fewer atoms vary then.
  std::optional<Poly> shorter(const Poly& p, AtomId id, const Poly& value, size_t fewerThan) const {
    const auto here = p.coefficient(id).constant(), there = value.coefficient(id).constant();
    if (!here || !there || *there == 0 || *here % *there != 0 || (*here < 0) == (*there < 0))
      return std::nullopt;
    Poly sum = p + value * Poly(-(*here / *there));
    if (varyingAtoms(sum).size() >= fewerThan) return std::nullopt;
    return sum;
  }

  // The ends of a coordinate or a counter.
  std::vector<Poly> endsOf(AtomId id) {
    const Poly self = Poly::atom(id);
    const AtomKind kind = atoms[id].kind;
    const unsigned axis = atoms[id].axis;
    std::vector<Poly> out;
    if (kind == AtomKind::Block) out.push_back(atoms.gridDim(axis) - self - 1);
    const Range range = atoms.range(self);
    if (range.high != INT64_MAX && kind != AtomKind::Block) out.push_back(Poly(range.high) - self);
    if (range.low != INT64_MIN) out.push_back(self - Poly(range.low));
    return out;
  }

  const KernelModel& model;
  Atoms& atoms;
  std::vector<Poly> values;
};

}  // namespace

std::optional<Poly> boundUnderGuards(const KernelModel& model, const Access& access, const Poly& value,
                                     bool greatest) {
  try {
    Known known(model, access);
    const std::optional<Poly> bound = known.above(greatest ? value : -value);
    if (!bound) return std::nullopt;
    return greatest ? *bound : -*bound;
  } catch (const TooLarge&) {
    return std::nullopt;
  }
}

}  // namespace hone::analysis
