// Why vectorize finds nothing to do where no group of accesses was refused by itself.
#pragma once

#include "passes/vector/VectorFacts.h"

namespace hone::passes {

Refusal whyNotWide(const VectorFacts& facts);

}  // namespace hone::passes
