// A kernel at every size that it is tuned for, with what was measured there.
#pragma once

#include "cli/choose/TunedKernel.h"
#include "tune/Meter.h"

namespace hone::cli {

// A kernel at every point.
struct SizedKernel {
  const GivenFile& file;
  const frontend::ImportedKernel& kernel;
  passes::PassContext context;
  const device::CaseMaker& maker;                     // without the sizes
  std::vector<std::unique_ptr<TunedKernel>> at = {};  // by point
  std::vector<tune::Variant> variants = {};           // the original first
  std::map<std::string, size_t> byRecipe = {};
  std::vector<std::vector<tune::Measurement>> measured = {};  // by point and variant
  std::vector<std::vector<bool>> isMeasured = {};

  // The number of the variant.
  size_t add(const tune::Variant& variant) {
    const auto [found, isNew] = byRecipe.emplace(passes::str(variant.recipe), variants.size());
    if (isNew) variants.push_back(variant);
    return found->second;
  }
  void put(size_t point, size_t variant, tune::Measurement measurement) {
    for (auto& row : measured) row.resize(variants.size());
    for (auto& row : isMeasured) row.resize(variants.size());
    measured[point][variant] = std::move(measurement);
    isMeasured[point][variant] = true;
  }
};

// The whole numbers among the parameters.
std::map<std::string, int64_t> numbersOf(const device::Case& c);

}  // namespace hone::cli
