#include "sim/check/SyncOrder.h"

#include <algorithm>

#include "sim/bytecode/Program.h"

namespace hone::sim {

void merge(SeenSet& into, const SeenSet& from) {
  for (const Seen& s : from) {
    auto it = std::find_if(into.begin(), into.end(), [&](const Seen& t) { return t.variable == s.variable; });
    if (it == into.end())
      into.push_back(s);
    else
      it->count = std::max(it->count, s.count);
  }
}

bool Released::covers(const Released& other) const {
  return wholeBlock == other.wholeBlock && ownWarp == other.ownWarp &&
         wholeBlockNear == other.wholeBlockNear && ownWarpNear == other.ownWarpNear;
}

void SyncOrder::release(uint64_t place, const Released& released, const SeenSet* warpSeen,
                        const SeenSet* blockSeen) {
  std::lock_guard lock(mutex);
  active.store(true, std::memory_order_relaxed);
  auto [it, isNew] = places.try_emplace(place, uint32_t(variables.size()));
  if (isNew) variables.emplace_back();
  Variable& v = variables[it->second];
  v.place = place;
  uint32_t position = uint32_t(v.releases.size());
  // A thread that spins with an atomic releases the same things again and again: once is enough.
  auto [last, first] = v.lastOfThread.try_emplace(released.block << 16 ^ released.thread, position);
  bool learns = false;
  for (const SeenSet* set : {warpSeen, blockSeen}) {
    if (!set) continue;
    for (const Seen& s : *set)
      if (s.variable != it->second && s.count > v.knownCount[s.variable]) learns = true;
  }
  bool repeats = !first && !learns && v.releases[last->second].covers(released);
  if (!repeats) {
    last->second = position;
    v.releases.push_back(released);
    v.byBlock[released.block].push_back(position);
  } else {
    position = last->second;
    v.releases[position].at = released.at;
  }
  for (const SeenSet* set : {warpSeen, blockSeen}) {
    if (!set) continue;
    for (const Seen& s : *set) {
      if (s.variable == it->second) continue;
      uint32_t& count = v.knownCount[s.variable];
      if (s.count <= count) continue;
      count = s.count;
      v.known.push_back({position, s});
    }
  }
}

void SyncOrder::acquire(uint64_t place, SeenSet& seen) {
  std::lock_guard lock(mutex);
  auto it = places.find(place);
  if (it == places.end()) return;
  merge(seen, {{it->second, uint32_t(variables[it->second].releases.size())}});
}

bool SyncOrder::ordered(uint64_t place, uint64_t block, uint32_t thread, uint64_t clock, bool sameBlock,
                        const SeenSet* warpSeen, const SeenSet* blockSeen) {
  std::lock_guard lock(mutex);
  SeenSet visited, work;
  auto visit = [&](const Seen& s) {
    auto it =
        std::find_if(visited.begin(), visited.end(), [&](const Seen& t) { return t.variable == s.variable; });
    if (it == visited.end()) {
      visited.push_back(s);
      work.push_back(s);
    } else if (it->count < s.count) {
      it->count = s.count;
      work.push_back(s);
    }
  };
  for (const SeenSet* set : {warpSeen, blockSeen})
    if (set)
      for (const Seen& s : *set) visit(s);
  while (!work.empty()) {
    Seen s = work.back();
    work.pop_back();
    const Variable& v = variables[s.variable];
    if (auto found = v.byBlock.find(block); found != v.byBlock.end()) {
      const std::vector<uint32_t>& positions = found->second;
      auto end = std::lower_bound(positions.begin(), positions.end(), s.count);
      while (end != positions.begin()) {
        const Released& r = v.releases[*--end];
        uint64_t whole = sameBlock ? r.wholeBlockNear : r.wholeBlock,
                 own = sameBlock ? r.ownWarpNear : r.ownWarp;
        if (clock < whole || (clock < own && r.thread / warpLanes == thread / warpLanes)) return true;
        if (place == v.place && r.thread == thread && clock <= r.at) return true;
      }
    }
    for (const Variable::Known& k : v.known)
      if (k.position < s.count) visit(k.seen);
  }
  return false;
}

}  // namespace hone::sim
