// The new kernels of a plan with their names and constants; private to the printing of plans.
#pragma once

#include "emit/EmitPlan.h"
#include "emit/Emitter.h"

namespace hone::emit {

// Grid and block of a launch.
struct Extents {
  std::array<ir::ExprPtr, 3> grid, block;
};

struct NewKernel {
  ir::KernelPtr kernel;
  std::vector<const ir::LaunchStep*> launches;  // all of them
  std::string name;
  std::map<ir::ConstantRole, Emitter::ChosenConstant> constants;
  ir::ConstantRole threads = {};  // of the constant for the threads of a block; none: there is none
};

// A constant as the text defines it.
struct ConstantLine {
  std::string name;
  int64_t value = 0;
  std::string comment;
};

class PlanKernels {
 public:
  // Names are chosen so that `isTaken` holds for none of them. `namesExtents`: sizes of launches are written
  // with the kernels' constants.
  PlanKernels(const ir::Plan& plan, const std::function<bool(const std::string&)>& isTaken,
              bool namesExtents = false);

  std::vector<NewKernel> kernels;
  std::vector<ConstantLine> constants;

  // Whether a kernel has been given a name that is not made of the original's: that of a class of sizes.
  bool hasOwnName(const NewKernel& k) const;
  // The new kernel of a launch; null: it launches the original.
  const NewKernel* of(const ir::LaunchStep& launch) const;
  // With named constants for numbers where names are asked for.
  Extents extentsOf(const ir::LaunchStep& launch) const;
  // Constants of all kernels, for expressions of the plan itself.
  std::map<ir::ConstantRole, Emitter::ChosenConstant> allConstants() const;

 private:
  ir::ConstantRole threadsRole(const NewKernel& k, ir::Kernel& kernel) const;
  void nameConstants(const std::function<bool(const std::string&)>& isTaken);

  const ir::Kernel* original;
  std::vector<const ir::LaunchStep*> launches;
  std::map<const ir::LaunchStep*, Extents> extents;
};

// Threads of a block where every launch of the kernel states the same number by axis.
std::optional<std::array<unsigned, 3>> commonBlock(const NewKernel& kernel);

// Whether a launch has the grid, or the block, of the original.
bool keepsGrid(const ir::LaunchStep& launch);
bool keepsBlock(const ir::LaunchStep& launch);

// Whether the kernel, or a function that it reaches, uses dynamic shared memory; whether it has a barrier of
// the whole grid.
bool usesDynamicShared(const ir::Kernel& kernel);
bool synchronizesGrid(const ir::Kernel& kernel);

// Constants of a kernel that stands in the original's place are defined at the top of its body, by names that
// nothing else in it has.
void bodyConstants(Emitter& emitter, const ir::Kernel& kernel);

// "constexpr int kTile = 16;  // …", for OpenCL "enum { … }" of all.
std::string constantLines(const std::vector<ConstantLine>& constants, ir::Language language);

// The product of the original's grid and block along an axis, whatever its width, is `threads`.
ir::ExprPtr withThreads(const ir::ExprPtr& e,
                        const std::function<ir::ExprPtr(unsigned axis, const ir::TypePtr&)>& threads);

// Comment lines "// …" for a text of several lines; nothing in it can end the comment or continue the line.
std::string commentLines(const std::string& text);

// The head of the text: whose plan it is, the recipe, and what was done; a line each.
std::string planTitle(const PlanSite& site, const std::vector<std::string>& story);

// Lines as a comment that stands at the level of the options, before text that was formatted. Long ones are
// broken and go on deeper by two.
std::string placedComment(const std::string& lines, const EmitOptions& options);

}  // namespace hone::emit
