#include "sim/SectorCache.h"

#include <algorithm>

namespace hone::sim {

SectorCache::SectorCache(uint64_t bytes, unsigned lineBytes, unsigned waysOfSet)
    : lineSize(lineBytes),
      ways(waysOfSet),
      sets(std::max<uint64_t>(1, bytes / (uint64_t(lineBytes) * waysOfSet))) {
  lines.resize(sets * ways);
}

SectorCache::Line* SectorCache::setOf(uint64_t tag) {
  const uint64_t hash = (tag ^ tag >> 17) * 0x9e3779b97f4a7c15u;
  return &lines[static_cast<uint64_t>(static_cast<unsigned __int128>(hash) * sets >> 64) * ways];
}

SectorCache::Line* SectorCache::peek(uint64_t tag) {
  Line* set = setOf(tag);
  for (unsigned i = 0; i < ways; ++i)
    if (set[i].tag == tag) return &set[i];
  return nullptr;
}

SectorCache::Line* SectorCache::find(uint64_t tag) {
  Line* line = peek(tag);
  if (line) line->used = ++clock;
  return line;
}

SectorCache::Line& SectorCache::victim(uint64_t tag) {
  Line* set = setOf(tag);
  return *std::min_element(set, set + ways, [](const Line& a, const Line& b) { return a.used < b.used; });
}

}  // namespace hone::sim
