// The elements that accesses touch, in the dimensions of their arrays: what the analyses ask isl about.
#pragma once

#include "affine/Delinearize.h"
#include "affine/FromIsl.h"

namespace hone::affine {

class ElementSets {
 public:
  explicit ElementSets(const KernelModel& model, const Launch* launch = nullptr,
                       unsigned long operations = IslBudget::usual);

  const Shape& shape(ArrayId array);
  // Whether the address of an access is understood: without free values when `atPoint` is its instance.
  bool isKnown(AccessId access);
  // The elements of one access at a point. Where its address is not known: every element, and the precision
  // says so.
  isl::set of(AccessId access, const Point& at, bool withGuard = true);
  // What all of them touch.
  isl::set of(const std::vector<AccessId>& accesses, const Point& at, bool withGuard = true);
  // What an access touches with any of the own coordinates of a point.
  isl::set touched(AccessId access, const Point& at, bool withGuard = true);
  isl::set touched(const std::vector<AccessId>& accesses, const Point& at, bool withGuard = true);
  // Without the own parameters of a point, except those named.
  isl::set forget(const isl::set& s, const Point& at, const std::vector<isl::id>& but = {}) const;

  // The same elements by their flat numbers, which rely on no dimensions; all where the address is not
  // understood.
  isl::set flat(AccessId access, const Point& at);
  // Whether different subscripts of the access's array are different elements for sure.
  bool hasProvedShape(AccessId access) { return shape(model.accesses[access].array).conditions.empty(); }
  // Whether they may be the same at any sizes.
  bool mayLeaveRows(AccessId access) { return shape(model.accesses[access].array).mayLeaveRows; }

  // What the dimensions of these accesses' arrays and the model itself rely on.
  std::vector<Requirement> conditions(const std::vector<AccessId>& accesses);

  const KernelModel& model;
  IslBudget budget;
  Relations relations;

 private:
  isl::set none(AccessId access);
  isl::set make(AccessId access, const Point& at, bool withGuard, bool isSummed);
  isl::set keep(AccessId access, const Point& at, bool withGuard, bool isSummed);

  struct Kept {
    isl::set elements;
    Exactness exactness;
    std::string reason;
  };
  const Launch* launch;
  std::map<ArrayId, Shape> shapes;
  std::map<std::string, Kept> kept;  // by access and point: questions about pairs ask for the same sets again
};

// Accesses of an array, all or those that `forward-stores` says.
std::vector<AccessId> accessesOf(const KernelModel& model, ArrayId array);

}  // namespace hone::affine
