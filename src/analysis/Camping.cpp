#include "analysis/Camping.h"

#include <fmt/core.h>

#include <numeric>
#include <set>

namespace hone::analysis {

using affine::Poly;

namespace {

std::optional<int64_t> numberOf(const affine::KernelModel& model, const Poly& p,
                                const affine::Launch* launch) {
  if (auto n = p.constant()) return n;
  return launch ? affine::Values(*model.atoms, *launch).value(p) : std::nullopt;
}

// Partitions that the threads of a block ask in one execution of the access, the first of them at the start
// of a partition; 0 when their distances are no numbers.
unsigned partitionsOfBlock(const affine::KernelModel& model, const affine::Access& access,
                           const target::Target& target, const affine::Launch* launch) {
  affine::Atoms& atoms = *model.atoms;
  std::array<affine::AtomId, 3> axis{};
  for (unsigned a = 0; a < 3; ++a)
    axis[a] = atoms.thread(a).atoms().empty() ? ~0u : atoms.thread(a).atoms().front();
  auto at = [&](unsigned x, unsigned y, unsigned z) {
    affine::Atoms::Substitution values;
    const std::array<unsigned, 3> thread{x, y, z};
    for (unsigned a = 0; a < 3; ++a)
      if (axis[a] != ~0u) values[axis[a]] = int64_t(thread[a]);
    return atoms.substitute(access.address, values);
  };
  const Poly origin = at(0, 0, 0);
  std::set<int64_t> partitions;
  for (unsigned z = 0; z < model.block[2]; ++z)
    for (unsigned y = 0; y < model.block[1]; ++y)
      for (unsigned x = 0; x < model.block[0]; ++x) {
        const auto distance = numberOf(model, at(x, y, z) - origin, launch);
        if (!distance) return 0;
        partitions.insert(
            affine::floorMod(affine::floorDiv(*distance, target.partitionBytes), target.partitions));
      }
  return unsigned(partitions.size());
}

}  // namespace

const char* str(CampingVerdict verdict) {
  switch (verdict) {
    case CampingVerdict::No: return "no";
    case CampingVerdict::Yes: return "yes";
    case CampingVerdict::DependsOn: return "depends";
    case CampingVerdict::Unknown: return "unknown";
  }
  return "";
}

Camping camping(const affine::KernelModel& model, const affine::Access& access, const target::Target& target,
                const affine::Launch* launch) {
  Camping out;
  const auto all = int64_t(target.partitions) * target.partitionBytes;
  if (!all) {
    out.reason = "addresses are spread over all of memory by a hash";
    return out;
  }
  if (!model.isGlobal(access)) {
    out.reason = "not in global memory";
    return out;
  }
  if (!access.isResolved()) return {CampingVerdict::Unknown, access.reason, {}, 0};
  affine::Atoms& atoms = *model.atoms;
  const Poly block = atoms.block(0);
  if (block.constant()) {
    out.reason = "one block along x";
    return out;
  }
  const Poly stride = atoms.substitute(access.address, {{block.atoms().front(), block + 1}}) - access.address;
  if (stride.isZero()) {
    out.reason = "neighbouring blocks touch the same";
    return out;
  }
  if (!atoms.isLaunchUniform(stride))
    return {CampingVerdict::Unknown, "the distance between blocks is not the same everywhere", {}, 0};
  out.stride = stride;
  const std::string partitions =
      fmt::format("{} partitions of {} bytes", target.partitions, target.partitionBytes);
  const auto number = numberOf(model, stride, launch);
  if (number ? *number % all != 0 : false) {
    out.reason = fmt::format("blocks lie {} bytes apart, no multiple of {}", *number, partitions);
    return out;
  }
  out.reached = partitionsOfBlock(model, access, target, launch);
  if (out.reached == target.partitions) {
    out.reason = fmt::format("one block reaches all {} partitions at once", target.partitions);
    return out;
  }
  if (number || stride.isDivisible(all)) {
    out.verdict = CampingVerdict::Yes;
    out.reason = fmt::format("blocks lie {} bytes apart, a multiple of {}", atoms.str(stride), partitions);
    return out;
  }
  out.verdict = CampingVerdict::DependsOn;
  out.reason = fmt::format("blocks lie {} bytes apart: camps where that is a multiple of {}",
                           atoms.str(stride), partitions);
  return out;
}

}  // namespace hone::analysis
