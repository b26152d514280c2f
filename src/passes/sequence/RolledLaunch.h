// What the members of a step have in place of each other's numbers, so that loops can go over them: values
// that steps hand on lie in arrays of the thread's own, and the slots that a member reads and writes follow
// from its number.
#pragma once

#include "passes/sequence/LaunchFlow.h"
#include "passes/sequence/MemberLoops.h"

namespace hone::passes {

// An array for what a step leaves in an array of the launches: a slot for each element that the group loads
// later, in the order of their numbers.
struct LaunchRow {
  size_t step = 0;
  ir::VarPtr array;
  ir::TypePtr element;
  std::map<affine::Poly, int64_t> slots;
};
// None for a single element.
std::vector<LaunchRow> rowsOf(const std::vector<LaunchCode>& steps, const LaunchFlow& flow);

// A value that a member loads or makes.
struct RowSlots {
  const LaunchRow* row = nullptr;
  affine::Poly slot;  // of the row, over the digits of a member's number
  int value = -1;     // without a row: the same for all members; -1: none, it is in memory
};
struct RolledLaunch {
  MemberDigits digits;
  std::optional<affine::Poly> thread;                   // nothing: nobody asks for it
  std::map<const ir::Variable*, affine::Poly> numbers;  // of LaunchCode, those that are polynomials and used
  std::set<const ir::Variable*> unused;                 // other polynomials among them
  std::vector<std::vector<RowSlots>> loads;             // by statement
  std::vector<RowSlots> stores;
  std::vector<bool> isStored;  // the memory must have what the statement stores
};
// For `count` members of the step from `first` on. Nothing where they differ by more than numbers that digits
// make; a single one does not.
std::optional<RolledLaunch> rolledLaunch(size_t step, size_t first, size_t count, const LaunchCode& code,
                                         const LaunchGroups& groups, const LaunchFlow& flow,
                                         const std::vector<LaunchRow>& rows);

}  // namespace hone::passes
