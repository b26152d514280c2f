#include "passes/shared/StageArrays.h"

namespace hone::passes {

const PassOf<StageOptions>& stagePass() {
  static const PassOf<StageOptions> pass =
      PassOf<StageOptions>("stage",
                           "What threads of a block read again and again, or far apart, is loaded into "
                           "shared memory by the block together.",
                           stageArrays)
          .names(&StageOptions::names, "<array or access>", ParameterKind::Accesses,
                 "a, b#2: what is staged (default: whatever pays)")
          .number(&StageOptions::depth, "depth", "iterations of a loop for one tile (default 16)",
                  values({8, 16, 32}), 2)
          .loop(&StageOptions::loop, "loop",
                "L1.2: the loop that tiles follow (default: the outermost that will do)")
          .number(&StageOptions::wide, "wide",
                  "elements of a row that a thread loads, which vectorize makes one access (default 1)",
                  values({4}))
          .word(&StageOptions::pad, "pad", {"auto", "0", "1", "swizzle"},
                "auto, 0, 1 or swizzle: against bank conflicts (default auto)")
          .word(&StageOptions::layout, "layout", {"auto", "rows", "columns"},
                "rows or columns: how tiles lie in shared memory (default: so that what a thread reads "
                "side by side lies side by side)",
                values({"rows", "columns"}))
          .with({.addsTiles = true});
  return pass;
}

}  // namespace hone::passes
