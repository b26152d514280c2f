#include "FactChecks.h"

#include <algorithm>

#include "TypedData.h"
#include "analysis/BankConflicts.h"
#include "analysis/Coalescing.h"
#include "analysis/Footprint.h"

namespace hone::test {
namespace {

using affine::Access;
using affine::Exactness;

// What allocations of the device begin at a multiple of; the analyses take the same.
constexpr uint64_t origin = 1u << 20;

std::string pairOf(const char* name, uint64_t said, uint64_t counted) {
  return std::string(name) + " " + std::to_string(said) + ", counted " + std::to_string(counted);
}

// An access that is read and written counts as one of each.
Access only(const Access& access, sim::AccessKind kind) {
  Access out = access;
  if (kind == sim::AccessKind::Load) out.mode = ir::AccessMode::Read;
  if (kind == sim::AccessKind::Store) out.mode = ir::AccessMode::Write;
  return out;
}

// Structs whose parts are of different sizes, or have bytes between them: the device moves each part by
// itself.
bool isMixed(const Access& access, bool isOpenCL) {
  if (!access.whole->type || !access.whole->type->is(ir::TypeKind::Struct)) return false;
  uint64_t bytes = 0;
  for (const TypedLeaf& leaf : leavesOf(access.whole->type, isOpenCL)) {
    const uint64_t size = leaf.type ? ir::sizeOf(*leaf.type, isOpenCL) : 1;
    if (size != access.unit) return true;
    bytes += size;
  }
  return bytes != access.bytes;
}

int64_t countOf(const std::set<int64_t>& bytes) { return static_cast<int64_t>(bytes.size()); }

std::set<int64_t> bytesOf(const analysis::ByteRanges& ranges) {
  std::set<int64_t> out;
  for (const auto& [first, last] : ranges)
    for (int64_t byte = first; byte < last; ++byte) out.insert(out.end(), byte);
  return out;
}

}  // namespace

void FactChecks::costs(affine::AccessId index, const Requests& predicted) {
  const Access& access = ran.model.accesses[index];
  const ir::Space space = ran.model.arrays[access.array].space;
  if (space == ir::Space::Shared) bankPasses(index, predicted);
  if (space == ir::Space::Global || space == ir::Space::Generic) coalescing(index, predicted);
}

void FactChecks::coalescing(affine::AccessId index, const Requests& predicted) {
  const analysis::MemoryRules rules = analysis::MemoryRules::of(target);
  for (const auto& [kind, counted] : ran.counted[index]) {
    if (counted.constantRequests || counted.sharedRequests)
      return;  // memory that the model does not know as such
    const Access access = only(ran.model.accesses[index], kind);
    const analysis::CoalescingTotals said = coalescingTotals(ran.model, access, ran.launch, rules);
    if (!said.known) {
      differ(index, "exact, but its sectors are not: " + said.unknown);
      return;
    }
    ++sectors;
    const std::pair<const char*, std::pair<uint64_t, uint64_t>> pairs[] = {
        {"requests", {said.requests, counted.requests}},
        {"lanes", {said.lanes, counted.lanes}},
        {"bytes", {said.bytes, counted.bytes}},
        {"sectors", {said.sectors, counted.sectors}},
        {"sectors at least", {said.leastSectors, counted.minimumSectors}},
        {"lines", {said.lines, counted.lines}},
        {"transactions", {said.transactions, counted.transactions}},
        {"groups", {said.groups, counted.groups}},
        {"coalesced groups", {said.coalescedGroups, counted.coalesced}}};
    // A struct goes leaf by leaf on the device; lanes are counted for each.
    const bool isSplit = ran.instructions[index].size() > ran.counted[index].size();
    const bool isOpenCL = ran.model.kernel->language == ir::Language::OpenCL;
    for (const auto& [name, numbers] : pairs)
      if (numbers.first != numbers.second && !(isSplit && std::string(name) == "lanes") &&
          !isMixed(access, isOpenCL)) {
        differ(index, target.name + ": " + pairOf(name, numbers.first, numbers.second));
        return;
      }
    const analysis::Coalescing general = analysis::coalescing(ran.model, access, rules);
    if (general.exactness == Exactness::Unknown) continue;
    perRequest += general.exactness == Exactness::Exact;
    for (const auto& [warp, list] : predicted)
      for (const Request& request : list) {
        analysis::CoalescingTotals one;
        std::array<uint64_t, 32> address;
        for (size_t lane = 0; lane < 32; ++lane)
          address[lane] = origin + static_cast<uint64_t>(request.address[lane]);
        addRequest(one, address.data(), request.mask, access.bytes, access.atomic, rules, access.unit);
        const bool isExact = general.exactness == Exactness::Exact;
        if (one.sectors > general.cost.sectors.max || one.transactions > general.cost.transactions.max ||
            (isExact &&
             (one.sectors < general.cost.sectors.min || one.transactions < general.cost.transactions.min))) {
          differ(index, target.name + ": a request of warp " + std::to_string(warp.second) + " with " +
                            std::to_string(one.sectors) + " sectors, " + std::to_string(one.transactions) +
                            " transactions; said " + str(general.cost.sectors) + " and " +
                            str(general.cost.transactions));
          return;
        }
      }
  }
}

void FactChecks::bankPasses(affine::AccessId index, const Requests& predicted) {
  const target::BankRules rules = target::BankRules::of(target);
  const bool isOpenCL = ran.model.kernel->language == ir::Language::OpenCL;
  const uint64_t start = ran.sharedStart[ran.model.accesses[index].array].value_or(0);
  for (const auto& [kind, counted] : ran.counted[index]) {
    const Access access = only(ran.model.accesses[index], kind);
    const analysis::BankTotals said = analysis::bankTotals(ran.model, access, ran.launch, rules, start);
    if (!said.known) {
      differ(index, "exact, but its passes through the banks are not: " + said.unknown);
      return;
    }
    ++banks;
    const std::pair<const char*, std::pair<uint64_t, uint64_t>> pairs[] = {
        {"requests", {said.requests, counted.requests}},
        {"wavefronts", {said.wavefronts, counted.wavefronts}},
        {"wavefronts at least", {said.leastWavefronts, counted.minimumWavefronts}}};
    for (const auto& [name, numbers] : pairs)
      if (numbers.first != numbers.second && !isMixed(access, isOpenCL)) {
        differ(index, target.name + ": " + pairOf(name, numbers.first, numbers.second));
        return;
      }
    const analysis::BankConflicts general = analysis::bankConflicts(ran.model, access, rules, start);
    if (general.exactness == Exactness::Unknown) continue;
    perRequest += general.exactness == Exactness::Exact;
    for (const auto& [warp, list] : predicted)
      for (const Request& request : list) {
        std::array<uint64_t, 32> offset;
        for (size_t lane = 0; lane < 32; ++lane)
          offset[lane] = start + static_cast<uint64_t>(request.address[lane]);
        const unsigned passes = analysis::countPasses(access, offset, request.mask, rules).wavefronts;
        if (passes > general.wavefronts.max ||
            (general.exactness == Exactness::Exact && passes < general.wavefronts.min)) {
          differ(index, target.name + ": a request of warp " + std::to_string(warp.second) + " with " +
                            std::to_string(passes) + " passes, said " + str(general.wavefronts));
          return;
        }
      }
  }
}

std::set<int64_t> FactChecks::touched(affine::AccessId access, uint64_t block) const {
  std::set<int64_t> out;
  for (const Instruction& instruction : ran.instructions[access])
    for (auto at = instruction.requests.lower_bound({block, 0});
         at != instruction.requests.end() && at->first.first == block; ++at)
      for (const Request& request : at->second)
        for (size_t lane = 0; lane < 32; ++lane)
          if (request.mask >> lane & 1)
            for (int64_t byte = 0; byte < instruction.bytes; ++byte) out.insert(request.address[lane] + byte);
  return out;
}

void FactChecks::footprints(const affine::ById<affine::AccessId, bool>& exact, bool symbolic) {
  const auto& grid = ran.launch.grid;
  const bool isOpenCL = ran.model.kernel->language == ir::Language::OpenCL;
  const int64_t all = grid[0] * grid[1] * grid[2];
  const auto coordinates = [&](int64_t linear) {
    return std::array<int64_t, 3>{linear % grid[0], linear / grid[0] % grid[1], linear / grid[0] / grid[1]};
  };
  // The first blocks, one in the middle, the last, and the neighbours of the first along each axis.
  std::set<int64_t> some{0, all / 2, all - 1};
  if (grid[0] > 1) some.insert(1);
  if (grid[1] > 1) some.insert(grid[0]);
  if (grid[2] > 1) some.insert(grid[0] * grid[1]);
  for (const affine::ArrayId array : ran.model.arrays.ids()) {
    if (ran.model.arrays[array].space == ir::Space::Private) continue;
    std::vector<affine::AccessId> mine;
    bool areAllExact = true, hasMixed = false;
    for (const affine::AccessId i : ran.model.accesses.ids()) {
      const Access& access = ran.model.accesses[i];
      if (access.array != array || access.mode == ir::AccessMode::Address || access.reason == "never reached")
        continue;
      areAllExact &= exact[i];
      hasMixed |= isMixed(access, isOpenCL);
      mine.push_back(i);
      if (!exact[i]) continue;
      const analysis::Footprint general =
          symbolic ? analysis::footprint(ran.model, {i}, {}, &ran.launch) : analysis::Footprint{};
      perBlock += general.exactness == Exactness::Exact && general.elements;
      for (const int64_t block : some) {
        const std::set<int64_t> did = touched(i, static_cast<uint64_t>(block));
        const auto said = analysis::bytesTouched(ran.model, {i}, ran.launch, coordinates(block));
        if (!said) {
          differ(i, "exact, but the bytes it touches are not known");
          break;
        }
        ++blocks;
        const std::set<int64_t> bytes = bytesOf(*said);
        // The bytes between the fields of a struct are said to be touched, and are not.
        if (isMixed(access, isOpenCL) ? !std::ranges::includes(bytes, did) : bytes != did) {
          differ(i,
                 "block " + std::to_string(block) + ": " + pairOf("bytes touched", bytes.size(), did.size()));
          break;
        }
        if (general.exactness == Exactness::Unknown || !general.elements || isMixed(access, isOpenCL))
          continue;
        const int64_t most = *general.bytes();
        const bool isOne = general.exactness == Exactness::Exact && !general.isGuarded;
        if (countOf(did) > most || (isOne && countOf(did) != most)) {
          differ(i, "block " + std::to_string(block) + ": " +
                        pairOf("footprint in bytes", static_cast<uint64_t>(most), did.size()));
          break;
        }
      }
    }
    if (!areAllExact || mine.empty() || ran.model.arrays[array].space == ir::Space::Shared) continue;
    // What the first block has in common with its neighbours.
    const auto together = [&](int64_t block) {
      std::set<int64_t> out;
      for (const affine::AccessId i : mine) out.merge(touched(i, static_cast<uint64_t>(block)));
      return out;
    };
    for (size_t axis = 0; axis < 3; ++axis) {
      if (grid[axis] < 2) continue;
      const int64_t next = axis == 0 ? 1 : axis == 1 ? grid[0] : grid[0] * grid[1];
      const auto here = analysis::bytesTouched(ran.model, mine, ran.launch, coordinates(0));
      const auto there = analysis::bytesTouched(ran.model, mine, ran.launch, coordinates(next));
      if (!here || !there) continue;
      ++shared;
      const std::set<int64_t> a = together(0), b = together(next);
      std::vector<int64_t> both;
      std::ranges::set_intersection(a, b, std::back_inserter(both));
      const int64_t said = analysis::countBytes(analysis::common(*here, *there));
      if (said != static_cast<int64_t>(both.size()) && !hasMixed)
        differ(mine.front(), "bytes that neighbouring blocks share along " + std::string(1, "xyz"[axis]) +
                                 ": " + pairOf("", static_cast<uint64_t>(said), both.size()));
    }
  }
}

}  // namespace hone::test
