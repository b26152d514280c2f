// A kernel at every size that it is tuned for, with what was measured there.
#pragma once

#include "tune/SizeClasses.h"
#include "tune/TunedKernel.h"

namespace hone::tune {

struct SizedKernel {
  const ir::Module& module;
  ir::KernelPtr kernel;
  passes::PassContext context;
  const device::CaseMaker& maker;                     // without the sizes
  std::vector<std::unique_ptr<TunedKernel>> at = {};  // by point
  std::vector<Variant> variants = {};                 // the original first
  std::map<std::string, size_t> byRecipe = {};
  std::vector<std::vector<Measurement>> measured = {};  // by point and variant
  std::vector<std::vector<bool>> isMeasured = {};

  // The number of the variant.
  size_t add(const Variant& variant);
  void put(size_t point, size_t variant, Measurement measurement);
  bool has(size_t point, size_t variant) const {
    return variant < isMeasured[point].size() && isMeasured[point][variant];
  }
  // What a plan comes to in a case: source, launches and buffers as one text.
  std::string jobAt(const TunedKernel& point, const ir::Plan& plan) const;
  // What each variant takes at each point; 0 where it is not known, or the variant is one of `without`.
  std::vector<TimedSize> times(const std::set<size_t>& without) const;
};

// The kernel at the points, for each of which there is a maker. They must live as long as what is returned,
// as must the module. Throws hone::Error where they do not differ for the kernel.
std::unique_ptr<SizedKernel> prepareSizes(const ir::Module& module, const ir::KernelPtr& kernel,
                                          const passes::PassContext& context, const device::CaseMaker& maker,
                                          const std::vector<const device::CaseMaker*>& points,
                                          const sim::RunOptions& run, const TuneListener& listener);

// The whole numbers among the parameters.
std::map<std::string, int64_t> numbersOf(const device::Case& c);

}  // namespace hone::tune
