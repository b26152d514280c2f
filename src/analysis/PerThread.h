// What a value or condition of a kernel is for one thread of the block: its coordinates put in as numbers.
#pragma once

#include "affine/KernelModel.h"

namespace hone::analysis {

// Two threads that get equal polynomials have equal values whenever both are in the same round of all loops: what may differ
// between threads for reasons not known gets a name of its own for each.
class PerThread {
 public:
  explicit PerThread(const affine::KernelModel& model);

  affine::Poly of(const affine::Poly& value, unsigned thread);
  affine::CondPtr of(const affine::CondPtr& cond, unsigned thread);
  std::array<unsigned, 3> coordinates(unsigned thread) const;

  // The first value below that may differ between any two threads, null when there is none.
  const affine::Atom* unrelated(const affine::Poly& value) const;

 private:
  // What must be replaced in a polynomial, found once.
  struct Parts {
    bool isUniform = true;               // nothing below differs between threads
    std::vector<affine::AtomId> tagged;  // to be named by thread
  };
  const Parts& partsOf(const affine::Poly& value);
  Parts findParts(const std::function<void(const std::function<void(affine::AtomId)>&)>& forEach) const;
  affine::Atoms::Substitution substitution(const Parts& parts, unsigned thread);
  unsigned tagOf(const affine::Variation& varies, unsigned thread) const;
  affine::CondPtr tagUnknown(const affine::CondPtr& cond, unsigned thread) const;

  const affine::KernelModel& model;
  affine::Atoms& atoms;
  std::array<affine::AtomId, 3> axis;
  std::map<affine::Poly, Parts> known;
  std::map<std::pair<affine::AtomId, unsigned>, affine::Poly> named;  // by atom and tag
};

// Whether a condition names a value, or holds an unknown part, that differs between threads.
bool mayDiffer(const affine::Atoms& atoms, const affine::CondPtr& cond);

}  // namespace hone::analysis
