#include "passes/recipe/Proposer.h"

namespace hone::passes {

const char* str(Level level) {
  switch (level) {
    case Level::Prepare: return "preparing";
    case Level::Shape: return "block shapes";
    case Level::Stage: return "staging";
    case Level::MergeBlocks: return "merging blocks";
    case Level::MergeThreads: return "merging threads";
    case Level::Widen: return "wider accesses";
    case Level::Overlap: return "overlap";
    case Level::Order: return "block order";
    case Level::Finish: return "finishing";
  }
  return "";
}

}  // namespace hone::passes
