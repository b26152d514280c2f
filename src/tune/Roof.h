// What bounds a launch whatever its text: the bytes that must move, and the floating-point arithmetic.
#pragma once

#include "analysis/Facts.h"
#include "tune/EstimatePlan.h"

namespace hone::tune {

struct Roof {
  double dramSeconds = 0;        // that DRAM needs for the bytes that must move
  double arithmeticSeconds = 0;  // that the units for floating-point numbers need
  double working = 0;            // seconds of the estimate, the launch itself left out
  sim::Limiter what() const {
    return dramSeconds >= arithmeticSeconds ? sim::Limiter::Dram : sim::Limiter::Issue;
  }
  double seconds() const { return std::max(dramSeconds, arithmeticSeconds); }
  // How near the estimate comes to it, from 0 to 1.
  double share() const { return working > 0 ? std::min(1.0, seconds() / working) : 0; }
};

// Of what was counted: the bytes that threads use of what DRAM brings.
Roof roofOf(const LaunchEstimate& launch);
// With the bytes of all arrays, each that is read once and each that is written once: caches could keep what
// is used again.
Roof roofOf(const LaunchEstimate& launch, const target::Target& target, double bytesOfArrays);

// How long the launch itself takes.
double startSeconds(const LaunchEstimate& launch);

// The original's estimate and roof at the sizes that recipes would be chosen at.
struct KernelRoof {
  Roof roof;
  double bytes = 0;  // that DRAM moves in the time that the roof says
  LaunchEstimate launch;
  std::string sizes;    // "n=1048576"
  std::string whose;    // "given", "guessed", "read off the program", "captured"
  std::string problem;  // why there is none; empty: there is one
};
// `facts` are those of the kernel, for the block that it is launched with.
KernelRoof roofOfKernel(const device::CaseMaker& maker, const ir::KernelPtr& kernel,
                        const target::Target& target, analysis::Facts& facts);

}  // namespace hone::tune
