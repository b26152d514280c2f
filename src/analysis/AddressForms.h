// Addresses as sums of strides: how far apart neighbours along each coordinate lie. Ids that a kernel takes
// apart by division are seen digit by digit.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "affine/KernelModel.h"

namespace hone::analysis {

struct AddressForm {
  // By coordinate: a thread or block axis, a loop's counter, a digit of an id. Bytes, made of sizes.
  std::map<affine::AtomId, affine::Poly> strides;
  affine::Poly base;      // what is the same for all threads and iterations
  bool isLinear = false;  // false: nothing above is set
  std::string reason;     // why not
  bool dependsOn(affine::AtomId coordinate) const { return strides.contains(coordinate); }
};

class AddressForms {
 public:
  explicit AddressForms(const affine::KernelModel& kernelModel);

  const AddressForm& of(affine::AccessId access);
  // A condition's or value's coordinates; those inside of what is no sum count as well.
  std::set<affine::AtomId> coordinatesOf(const affine::CondPtr& cond);
  bool isLoop(affine::AtomId coordinate, uint64_t loops) const;
  // Of one of threads of a block, digits of such included.
  bool isOfThreads(affine::AtomId coordinate) const;

 private:
  affine::Poly inDigits(affine::Poly value);
  affine::Poly withoutChoices(const affine::Poly& value, bool& isClear);
  bool isCoordinate(affine::AtomId id) const;
  bool isSameForAllThreads(affine::AtomId id) const;
  std::vector<affine::AtomId> quotientsInOrder() const;
  void findDigits();

  const affine::KernelModel& model;
  affine::Atoms& atoms;
  std::vector<std::pair<affine::AtomId, affine::Poly>> steps;  // in this order
  std::map<affine::AtomId, affine::AtomId> digits;             // what a digit was taken from
  std::map<affine::AccessId, AddressForm> known;
};

// Which of two strides is the longer one: -1, 0, 1; nothing where sizes decide.
std::optional<int> compareStrides(const affine::Poly& a, const affine::Poly& b);

}  // namespace hone::analysis
