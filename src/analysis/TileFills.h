// Which stores filled what a load of the block's own memory reads, and what these stores knew: what reading
// from where the elements came from asks. Rests on Invertibility.h.
#pragma once

#include "analysis/Invertibility.h"

namespace hone::analysis {

// A store that wrote some of the elements that a load reads, and no other store after it before the load.
struct TileFill {
  affine::AccessId store;
  std::vector<affine::LoopId> fixed;  // loops around both; the iteration of these is the load's
  Inverse inverse;                    // with these fixed
  // Which of the elements that the load reads it wrote, over the inverse's placeholders; nothing when that
  // cannot be written down.
  std::optional<affine::CondPtr> where;
  std::vector<affine::AccessId> meets;  // other fills that wrote one of these elements too
};

struct TileFills {
  bool isKnown = false;                         // every element that is read was written by one of the fills
  std::string reason;                           // why not
  std::vector<TileFill> fills;                  // in the order of the source
  std::vector<affine::Poly> element;            // that the load reads, in the dimensions of the inverses
  std::vector<affine::Requirement> conditions;  // that these dimensions rely on
};

// Of the same block. Accesses of different threads must be kept apart by barriers, which Barriers.h says:
// what stands first then comes first.
TileFills fillsOf(const affine::KernelModel& model, affine::AccessId load);

// What a value or a condition was for those who wrote an element, over the inverse's placeholders: the
// coordinates that the element determines are put in their place, and where these cannot be written down the
// parts of the value that the element determines. Nothing when writers of one element differ in it.
class WriterValues {
 public:
  WriterValues(const affine::KernelModel& model, const Inverse& inverse);
  ~WriterValues();
  std::optional<affine::Poly> of(const affine::Poly& value);
  std::optional<affine::CondPtr> of(const affine::CondPtr& cond);

 private:
  class Parts;
  const affine::KernelModel& model;
  const Inverse& inverse;
  std::unique_ptr<Parts> parts;  // made when first needed
};

// Whether two values over the placeholders, or two conditions, are the same for every element that the store
// of an inverse writes.
bool sameWhereWritten(const affine::KernelModel& model, const Inverse& inverse, const affine::Poly& p,
                      const affine::Poly& q);
bool sameWhereWritten(const affine::KernelModel& model, const Inverse& inverse, const affine::CondPtr& c,
                      const affine::CondPtr& d);

}  // namespace hone::analysis
