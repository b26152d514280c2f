// What a pass hands back: it applies wholly, or refuses and says why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/Plan.h"
#include "passes/recipe/Refusal.h"
#include "passes/recipe/Remark.h"

namespace hone::passes {

// What a pass that works on a whole plan makes of it.
struct [[nodiscard]] PassResult {
  ir::PlanPtr plan;             // null where it refused
  std::vector<Remark> remarks;  // what was done, and notes; each with its reason
  Obstacle refusal;             // where there is no plan
  std::string refusedBy;        // the pass that said so; empty: the one at hand

  PassResult() = default;
  PassResult(ir::PlanPtr made, std::vector<Remark> said) : plan(std::move(made)), remarks(std::move(said)) {}
  PassResult(Refusal no) : refusal(std::move(no)) {}
};

// What a pass that works on one launch makes of it.
struct [[nodiscard]] LaunchResult {
  std::optional<ir::LaunchStep> launch;  // nothing where it refused
  // Where it does not hold the original runs, or the launch as it was before this pass; null: always. Over
  // the original's parameters, its launch (GridDim, BlockDim) and variables of the plan: onHost in
  // HostConditions.h turns what a kernel says into that.
  ir::ExprPtr condition;
  std::vector<Remark> remarks;  // what was done, and notes; each with its reason
  Obstacle refusal;             // where there is no launch

  LaunchResult(ir::LaunchStep made, ir::ExprPtr where = nullptr, std::vector<Remark> said = {})
      : launch(std::move(made)), condition(std::move(where)), remarks(std::move(said)) {}
  LaunchResult(Refusal no, std::vector<Remark> said = {})
      : remarks(std::move(said)), refusal(std::move(no)) {}
};

// The remark that says it; about the kernel as a whole where the refusal names no place.
Remark leftAlone(Refusal refusal, const ir::Kernel& kernel);

// What launches of a plan refused while others may have been changed.
class RefusedLaunches {
 public:
  // What was said about the launch of `kernel`, the refusal last.
  void add(std::vector<Remark> said, Refusal refusal, const ir::Kernel& kernel);
  bool empty() const { return list.empty(); }
  // Where another launch was changed they are notes.
  void noteIn(std::vector<Remark>& remarks) &&;
  // Where none was the last of them is that of the plan, and the others are remarks before it.
  void refuseIn(PassResult& result) &&;

 private:
  std::vector<Remark> list;
};

}  // namespace hone::passes
