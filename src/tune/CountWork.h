// What a kernel must do whatever its variant: arithmetic and least traffic, for a roofline.
#pragma once

#include "device/CaseData.h"
#include "target/Target.h"
#include "worker/Protocol.h"

namespace hone::tune {

struct Work {
  double flops = 0;     // floating-point operations of all threads of one run; a fused multiply-add is two
  bool isFp64 = false;  // most of them in 64 bits
  double bytes = 0;     // every array that is read once, and every one that is written once
  std::string problem;  // why the operations are not known
};

// Operations are counted on the embedded device, on a few blocks of the original's launches, at the case's
// own sizes.
Work countWork(const device::Case& c, const device::CaseData& data, const worker::CaseSpec& spec,
               const ir::PlanPtr& original, const target::Target& target);

}  // namespace hone::tune
