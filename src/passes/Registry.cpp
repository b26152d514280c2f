#include "passes/recipe/Registry.h"

#include <array>

#include "passes/calls/BoundArguments.h"
#include "passes/calls/InlineFunctions.h"
#include "passes/guards/SkipBlocks.h"
#include "passes/guards/SplitBorder.h"
#include "passes/launch/LaunchBounds.h"
#include "passes/launch/RemapBlocks.h"
#include "passes/launch/ShapeBlock.h"
#include "passes/launch/Specialize.h"
#include "passes/launch/SwapAxes.h"
#include "passes/launch/Unflatten.h"
#include "passes/loops/MovePointers.h"
#include "passes/loops/RotateLoop.h"
#include "passes/loops/UnrollLoop.h"
#include "passes/merge/MergeBlocks.h"
#include "passes/merge/MergeThreads.h"
#include "passes/reduce/Retree.h"
#include "passes/reduce/SplitReduction.h"
#include "passes/reduce/Untree.h"
#include "passes/registers/ForwardStores.h"
#include "passes/registers/PromoteElements.h"
#include "passes/sequence/DropTemporaries.h"
#include "passes/sequence/FuseLaunches.h"
#include "passes/sequence/LowerGridSync.h"
#include "passes/sequence/UnrollHostLoop.h"
#include "passes/shared/CoalesceStores.h"
#include "passes/shared/PrefetchTiles.h"
#include "passes/shared/StageArrays.h"
#include "passes/shared/Unstage.h"
#include "passes/spread/SpreadLoop.h"
#include "passes/vector/StreamStores.h"
#include "passes/vector/VectorizeAccesses.h"

namespace hone::passes {

std::span<const Pass* const> allPasses() {
  // In the order in which `hone passes` lists them.
  static const std::array all = std::to_array<const Pass*>({
      &inlinePass(),          &gridSyncPass(),       &unrollHostLoopPass(), &fuseLaunchesPass(),
      &specializePass(),      &spreadPass(),         &unflattenPass(),      &blockPass(),
      &stagePass(),           &swapAxesPass(),       &coalesceStoresPass(), &remapBlocksPass(),
      &forwardStoresPass(),   &promotePass(),        &mergeBlocksPass(),    &mergeThreadsPass(),
      &unrollPass(),          &splitBorderPass(),    &skipBlocksPass(),     &rotateLoopPass(),
      &dropTemporariesPass(), &prefetchPass(),       &boundArgumentsPass(), &vectorizePass(),
      &movePointersPass(),    &splitReductionPass(), &retreePass(),         &untreePass(),
      &launchBoundsPass(),    &streamStoresPass(),   &unstagePass(),
  });
  return all;
}

const Pass* findPass(std::string_view name) {
  for (const Pass* pass : allPasses())
    if (pass->name == name) return pass;
  return nullptr;
}

}  // namespace hone::passes
