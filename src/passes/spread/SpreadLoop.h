// Before: a thread does independent iterations of a loop one after the other. After: a thread for each of
// them.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

enum class SpreadAxis : uint8_t { X, Y, Z };

struct SpreadOptions {
  std::optional<std::string> loop = {};  // by its handle; nothing: the first outermost one that can be
  std::optional<SpreadAxis> axis = {};   // along which iterations become threads; nothing: as they are
                                         // numbered, or where neighbours touch neighbouring elements
};

const PassOf<SpreadOptions>& spreadPass();

LaunchResult spreadLoop(const ir::LaunchStep& launch, const SpreadOptions& options, PassContext& context);

}  // namespace hone::passes
