// What the members of a step have in place of each other's numbers, so that loops can go over them: values
// that steps hand on lie in arrays of the thread's own, and the slots that a member reads and writes follow
// from its number.
#pragma once

#include "passes/sequence/MemberLoops.h"
#include "passes/sequence/StepFlow.h"

namespace hone::passes {

// An array for what a step leaves in an array of the launches: a slot for each element that the group loads
// later, in the order of their numbers.
struct StepRow {
  size_t step = 0;
  ir::VarPtr array;
  ir::TypePtr element;
  std::map<affine::Poly, int64_t> slots;
};
// None for a single element.
std::vector<StepRow> rowsOf(const std::vector<StepCode>& steps, const StepFlow& flow);

// A value that a member loads or makes.
struct RowSlots {
  const StepRow* row = nullptr;
  affine::Poly slot;  // of the row, over the digits of a member's number
  int value = -1;     // without a row: the same for all members; -1: none, it is in memory
};
struct RolledStep {
  MemberDigits digits;
  std::optional<affine::Poly> thread;                   // nothing: nobody asks for it
  std::map<const ir::Variable*, affine::Poly> numbers;  // of StepCode, those that are polynomials and used
  std::set<const ir::Variable*> unused;                 // other polynomials among them
  std::vector<std::vector<RowSlots>> loads;             // by statement
  std::vector<RowSlots> stores;
  std::vector<bool> isStored;  // the memory must have what the statement stores
};
// For `count` members of the step from `first` on. Nothing where they differ by more than numbers that digits
// make; a single one does not.
std::optional<RolledStep> rolledStep(size_t step, size_t first, size_t count, const StepCode& code,
                                     const StepGroups& groups, const StepFlow& flow,
                                     const std::vector<StepRow>& rows);

}  // namespace hone::passes
