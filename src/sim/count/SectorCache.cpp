#include "sim/count/SectorCache.h"

#include <algorithm>
#include <bit>

namespace hone::sim {

SectorCache::SectorCache(uint64_t bytes, unsigned lineBytes, unsigned waysOfSet)
    : sectorShift(static_cast<unsigned>(std::countr_zero(lineBytes / sectorBytes))),
      ways(waysOfSet),
      sets(std::max<uint64_t>(1, bytes / (uint64_t(lineBytes) * waysOfSet))) {}

SectorCache::Set& SectorCache::setOf(uint64_t tag) {
  const uint64_t hash = (tag ^ tag >> 17) * 0x9e3779b97f4a7c15u;
  return sets[static_cast<uint64_t>(static_cast<unsigned __int128>(hash) * sets.size() >> 64)];
}

SectorCache::Line* SectorCache::peek(uint64_t tag) {
  const Set& set = setOf(tag);
  for (uint32_t k = 0; k < set.held; ++k)
    if (set.ways[k].tag == tag) return set.ways[k].line;
  return nullptr;
}

SectorCache::Line* SectorCache::findInSet(uint64_t tag) {
  const Set& set = setOf(tag);
  Way* const way = set.ways;
  for (uint32_t k = 0; k < set.held; ++k) {
    if (way[k].tag != tag) continue;
    const Way found = way[k];
    std::copy_backward(way, way + k, way + k + 1);
    way[0] = found;
    return latest = found.line;
  }
  return nullptr;
}

SectorCache::Way* SectorCache::newWays() {
  const uint32_t at = setTotal++ % setsOfPart;
  if (at == 0) waysOfSets.push_back(std::make_unique_for_overwrite<Way[]>(size_t(setsOfPart) * ways));
  return waysOfSets.back().get() + size_t(at) * ways;
}

SectorCache::Line* SectorCache::newLine() {
  const uint32_t at = lineTotal++ % linesOfPart;
  if (at == 0) lines.push_back(std::make_unique<Line[]>(linesOfPart));
  return lines.back().get() + at;
}

SectorCache::Line& SectorCache::roomFor(uint64_t tag) {
  Set& set = setOf(tag);
  if (!set.ways) set.ways = newWays();
  latest = set.held < ways ? newLine() : set.ways[ways - 1].line;
  if (set.held < ways) ++set.held;
  std::copy_backward(set.ways, set.ways + set.held - 1, set.ways + set.held);
  set.ways[0] = {tag, latest};
  return *latest;
}

}  // namespace hone::sim
