#include "sim/count/SectorCache.h"

#include <algorithm>

namespace hone::sim {

SectorCache::SectorCache(uint64_t bytes, unsigned lineBytes, unsigned waysOfSet)
    : lineSize(lineBytes),
      ways(waysOfSet),
      sets(std::max<uint64_t>(1, bytes / (uint64_t(lineBytes) * waysOfSet))) {}

SectorCache::Set& SectorCache::setOf(uint64_t tag) {
  const uint64_t hash = (tag ^ tag >> 17) * 0x9e3779b97f4a7c15u;
  return sets[static_cast<uint64_t>(static_cast<unsigned __int128>(hash) * sets.size() >> 64)];
}

SectorCache::Way* SectorCache::wayOf(Set& set, uint64_t tag) {
  for (Way& way : set.ways)
    if (way.tag == tag) return &way;
  return nullptr;
}

SectorCache::Line* SectorCache::peek(uint64_t tag) {
  Set& set = setOf(tag);
  const Way* way = wayOf(set, tag);
  return way ? &set.lines[static_cast<size_t>(way - set.ways.data())] : nullptr;
}

SectorCache::Line* SectorCache::find(uint64_t tag) {
  Set& set = setOf(tag);
  Way* way = wayOf(set, tag);
  if (!way) return nullptr;
  way->used = ++clock;
  return &set.lines[static_cast<size_t>(way - set.ways.data())];
}

SectorCache::Line& SectorCache::victim(uint64_t tag) {
  Set& set = setOf(tag);
  if (set.ways.empty()) {
    set.ways.resize(ways);
    set.lines.resize(ways);
  }
  const auto oldest = std::min_element(set.ways.begin(), set.ways.end(),
                                       [](const Way& a, const Way& b) { return a.used < b.used; });
  *oldest = {tag, ++clock};
  return set.lines[static_cast<size_t>(oldest - set.ways.begin())];
}

}  // namespace hone::sim
