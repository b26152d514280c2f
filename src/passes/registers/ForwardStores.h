// Before: a loop reads back elements of global memory that its thread stored in earlier iterations. After: so
// many iterations as it has, tested before the launch, are unrolled, and what was stored is kept in registers
// as well.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

enum class ForwardLoads : uint8_t { Ahead, Late };
enum class ForwardOrder : uint8_t { Pull, Push };

struct ForwardStoresOptions {
  std::vector<std::string> arrays = {};    // empty: the first that can be
  std::optional<int64_t> iterations = {};  // of the loop
  std::optional<ForwardLoads> loads = {};
  std::optional<ForwardOrder> order = {};
  std::optional<std::string> loop = {};  // only this one
};

const PassOf<ForwardStoresOptions>& forwardStoresPass();

LaunchResult forwardStores(const ir::LaunchStep& launch, const ForwardStoresOptions& options,
                           PassContext& context);

// Numbers of iterations worth a try: those that a loop has, or such as blocks of rows often have. None where
// no loop can be kept.
std::vector<int64_t> iterationsToForward(const ir::LaunchStep& launch, PassContext& context);
// `pull`, and `push` too where some loop's sums can be pushed; none where no loop can be kept.
std::vector<std::string> ordersToForward(const ir::LaunchStep& launch, PassContext& context);

}  // namespace hone::passes
