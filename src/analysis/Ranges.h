// Which accesses stay inside their array, and which conditions of a kernel hold anyway.
#pragma once

#include "affine/Evaluate.h"

namespace hone::analysis {

enum class Within : uint8_t {
  Yes,
  MayLeave,  // an example was found and checked
  Unknown
};

// Elements (of Array::element) by array, over symbols: n, w*h, 256*gridDim.x. Arrays with declared extents
// need no entry.
using ArraySizes = std::map<affine::ArrayId, affine::Poly>;

struct RangeAnswer {
  Within within = Within::Unknown;
  bool isBelow = false, isAbove = false;  // MayLeave: before the first element, past the last
  std::string reason;  // MayLeave: "blockIdx.x = 0, threadIdx.x = 0, n = 1: element -1"; Unknown: why
  // Not Yes: each of these, made of symbols and the grid's size, together suffice for it to stay inside;
  // empty when none could be written down.
  std::vector<affine::Requirement> staysIf;
  // What the answer relies on (arithmetic that must not wrap).
  std::vector<affine::Requirement> conditions;
};

RangeAnswer withinArray(const affine::KernelModel& model, affine::AccessId access,
                        const ArraySizes& sizes = {}, const affine::Launch* launch = nullptr);

// Of every access of the model, in its order; what is known of an array is worked out once.
affine::ById<affine::AccessId, RangeAnswer> withinArrays(const affine::KernelModel& model,
                                                         const ArraySizes& sizes = {},
                                                         const affine::Launch* launch = nullptr);

enum class GuardVerdict : uint8_t {
  Needed,     // there are threads and iterations for which it decides
  Redundant,  // holds wherever the other conditions, the loops and the shapes of block and grid do
  Unknown
};

// One conjunct of the condition under which accesses happen.
struct GuardPart {
  affine::CondPtr cond;
  std::string text;   // "x < w" as far as atoms read like that
  ir::SourceLoc loc;  // of the `if` it stands in, where that is known
  GuardVerdict verdict = GuardVerdict::Unknown;
  std::string why;                              // Redundant: "follows from the loop over i"; Unknown: why
  std::vector<affine::AccessId> accesses;       // that it guards
  std::vector<affine::Requirement> conditions;  // that the conditions of these accesses rely on
};

// Those of one access, outermost first. The redundant ones are so together: taking all of them away changes
// nothing.
std::vector<GuardPart> guardParts(const affine::KernelModel& model, affine::AccessId access,
                                  const affine::Launch* launch = nullptr);
// Those of the kernel, each once. Redundant: for every access it guards.
std::vector<GuardPart> guardParts(const affine::KernelModel& model, const affine::Launch* launch = nullptr);

}  // namespace hone::analysis
