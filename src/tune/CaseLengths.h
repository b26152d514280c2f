// How long the arrays of a case are, worked out from what the kernel's accesses touch, at sizes too large to
// run and see.
#pragma once

#include "analysis/Facts.h"
#include "device/Case.h"

namespace hone::tune {

struct CaseLengths {
  std::map<std::string, uint64_t> elements;  // by array, also those that were given
  std::string problem;  // why some array has none, in the user's words; empty: all are known
};

// `facts` are those of the case's kernel for its block.
CaseLengths lengthsOf(const device::Case& c, analysis::Facts& facts);

// Whether an array is longer than subscripts of 32 bits reach, or all of them together are more than GPUs
// hold, as far as lengths are known: no launch has such sizes.
bool isBeyondGpus(const CaseLengths& lengths, const device::Case& c);

// Whether it divides by floats that come from memory, or takes roots or logarithms: with zeros and negative
// numbers the original itself could give NaN, which is never right.
bool wantsPositiveData(const ir::Kernel& kernel);

}  // namespace hone::tune
