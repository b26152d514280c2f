// Which variants of a kernel go into a bundle.
#pragma once

#include "tune/Bundle.h"
#include "tune/SizedKernel.h"

namespace hone::tune {

struct BundleRequest {
  std::string kernel;  // its name, with template arguments
  const ir::Module& module;
  std::string device;   // as --device says; empty: the first of the kernel's platform
  TuneOptions options;  // how many variants, by which strategy; those given come first
  TuneNote note;
};

// The case of the kernel and its variants; how many.
size_t fillBundle(TunedKernel& kernel, const BundleRequest& request, BundleWriter& into);
// All variants of the kernel at one of its points; how many.
size_t fillBundle(const SizedKernel& kernel, size_t point, const BundleRequest& request, BundleWriter& into);

}  // namespace hone::tune
