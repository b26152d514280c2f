#include "cli/nvcc/BuildTarget.h"

#include <fmt/core.h>

#include <algorithm>

namespace hone::cli {

namespace {

constexpr int firstWithoutPascal = 13000;  // toolkit that begins at 7.5
constexpr target::ComputeCapability oldDefault{5, 2}, newDefault{7, 5};

target::ComputeCapability capabilityOf(int architecture) {
  return {static_cast<unsigned>(architecture / 10), static_cast<unsigned>(architecture % 10)};
}

std::string modelFor(target::ComputeCapability highest) {
  const std::vector<target::Target> all = target::loadTargets(target::targetsFolder());
  const target::Target* best = nullptr;
  const auto isNamed = [](const target::Target& one) {
    return std::any_of(one.aliases.begin(), one.aliases.end(),
                       [](const std::string& alias) { return alias.starts_with("sm_"); });
  };
  // Of several with one capability, the one that sm_… names.
  for (const target::Target& one : all)
    if (one.computeCapability && *one.computeCapability <= highest &&
        (!best || *best->computeCapability < *one.computeCapability ||
         (*best->computeCapability == *one.computeCapability && isNamed(one))))
      best = &one;
  return best ? best->name : "";
}

}  // namespace

BuildTarget buildTarget(const NvccCall& call, int toolkitVersion) {
  BuildTarget out;
  if (!call.architectures.empty()) out.model = modelFor(capabilityOf(call.architectures.back()));
  if (call.architectures.empty() || call.hasOpenArchitecture)
    out.lowest = toolkitVersion >= firstWithoutPascal ? newDefault : oldDefault;
  else
    out.lowest = capabilityOf(call.architectures.front());
  return out;
}

}  // namespace hone::cli
