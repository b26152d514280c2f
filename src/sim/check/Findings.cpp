#include "sim/check/Findings.h"

#include <algorithm>

namespace hone::sim {
namespace {

std::array<uint32_t, 3> coordinates(uint64_t linear, const std::array<uint32_t, 3>& extent) {
  uint64_t x = extent[0] ? extent[0] : 1, y = extent[1] ? extent[1] : 1;
  return {uint32_t(linear % x), uint32_t(linear / x % y), uint32_t(linear / (x * y))};
}

const char* name(MemorySpace space) {
  switch (space) {
    case MemorySpace::Global: return "global";
    case MemorySpace::Shared: return "shared";
    case MemorySpace::Local: return "local";
    case MemorySpace::Constant: return "constant";
    case MemorySpace::Generic: break;
  }
  return "";
}

constexpr uint32_t noPc = UINT32_MAX;

uint64_t mix(uint64_t h, uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccdu;
}

uint64_t nextNumber() {
  static std::atomic<uint64_t> last = 0;
  return ++last;
}

}  // namespace

Findings::Findings(const Program& program, const LaunchShape& shape)
    : program(program), shape(shape), number(nextNumber()) {}

ThreadId LaunchShape::thread(uint64_t linearBlock, uint32_t warp, unsigned lane) const {
  return {coordinates(uint64_t(warp) * warpLanes + lane, block), coordinates(linearBlock, grid)};
}

Findings::Key Findings::keyOf(FindingKind kind, FindingClass cls, const Side& side, const Side* other,
                              const std::string& array) const {
  return {kind, cls, side.pc, other ? other->pc : noPc, array};
}

Party Findings::partyOf(const Side& side) const {
  Party party;
  Location at = program.at(side.pc);
  if (at.line != 0 && at.file < program.files.size()) party.file = program.file(at);
  party.line = at.line;
  party.column = at.column;
  party.who = shape.thread(side.place.block, side.place.warp, side.lane);
  party.writes = side.writes;
  party.atomic = side.atomic;
  return party;
}

void Findings::add(FindingKind kind, FindingClass cls, const Side& side, const Where* where,
                   const Side* other, std::string message) {
  std::lock_guard lock(mutex);
  none.store(false, std::memory_order_relaxed);
  Key key = keyOf(kind, cls, side, other, where ? where->array : std::string());
  auto [it, isNew] = entries.try_emplace(key);
  Finding& f = it->second.finding;
  if (!isNew) {
    ++f.count;
    if (it->second.block <= side.place.block) return;
  }
  uint64_t count = f.count;
  f = Finding();
  f.count = count;
  it->second.block = side.place.block;
  f.kind = kind;
  f.cls = cls;
  f.kernel = program.kernel;
  f.party = partyOf(side);
  if (where) {
    f.space = name(where->space);
    f.array = where->array;
    f.index = where->index;
    f.length = where->length;
    f.isInBytes = where->isInBytes;
  }
  if (other) {
    f.hasOther = true;
    f.other = partyOf(*other);
    f.betweenBlocks = other->place.block != side.place.block;
  }
  f.message = std::move(message);
}

bool Findings::repeat(FindingKind kind, FindingClass cls, const Side& side, const Side* other,
                      uint64_t array) {
  uint64_t hash = mix(mix(mix(mix(uint64_t(kind), uint64_t(cls)), side.pc), other ? other->pc : noPc), array);
  thread_local std::array<Known, 64> known;
  Known& mine = known[hash % known.size()];
  if (mine.findings == number && mine.hash == hash &&
      side.place.block >= mine.repeat->block.load(std::memory_order_relaxed)) {
    mine.repeat->count.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  std::lock_guard lock(mutex);
  auto [it, isNew] = repeats.try_emplace(hash);
  // add() puts the text under its own key, which is found again when the findings are taken.
  if (isNew) it->second.key = keyOf(kind, cls, side, other, {});
  if (isNew || side.place.block < it->second.block) {
    it->second.block = side.place.block;
    return false;
  }
  ++it->second.count;
  mine = {number, hash, &it->second};
  return true;
}

std::vector<Finding> Findings::take(unsigned perLine) {
  std::lock_guard lock(mutex);
  // Counted repeats belong to the entry of the same kind, class and instructions.
  for (auto& [hash, r] : repeats) {
    if (r.count == 0) continue;
    auto it = entries.lower_bound(r.key);
    if (it == entries.end()) continue;
    if (std::get<0>(it->first) != std::get<0>(r.key) || std::get<1>(it->first) != std::get<1>(r.key) ||
        std::get<2>(it->first) != std::get<2>(r.key) || std::get<3>(it->first) != std::get<3>(r.key))
      continue;
    it->second.finding.count += r.count;
  }

  // A pair of places is told once: race before missing warp barrier before same value, one direction only.
  // But a race of the same value between warps is told beside a missing warp barrier, which would not mend
  // it: other data may show it to be worse.
  using Pair = std::tuple<uint32_t, uint32_t, std::string, bool>;
  auto rank = [](const Finding& f) {
    if (f.cls == FindingClass::SameValue) return 2;
    return f.kind == FindingKind::MissingWarpSync ? 1 : 0;
  };
  struct Best {
    int rank;
    Entry* entry;
  };
  std::map<Pair, Best> best;
  std::vector<Entry*> kept;
  for (auto& [key, entry] : entries) {
    FindingKind kind = std::get<0>(key);
    if (!entry.finding.hasOther || (kind != FindingKind::Race && kind != FindingKind::MissingWarpSync)) {
      kept.push_back(&entry);
      continue;
    }
    auto [low, high] = std::minmax(std::get<2>(key), std::get<3>(key));
    int mine = rank(entry.finding);
    const bool isApart = mine == 2 && kind == FindingKind::Race;
    auto [it, isNew] = best.try_emplace(Pair{low, high, std::get<4>(key), isApart}, Best{mine, &entry});
    if (isNew) continue;
    if (mine == it->second.rank) {
      it->second.entry->finding.count += entry.finding.count;
    } else if (mine < it->second.rank) {
      it->second = {mine, &entry};
    }
  }
  for (auto& [pair, b] : best) {
    if (std::get<3>(pair)) {
      const auto other = best.find(Pair{std::get<0>(pair), std::get<1>(pair), std::get<2>(pair), false});
      if (other != best.end() && other->second.rank == 0) continue;
    }
    kept.push_back(b.entry);
  }

  std::vector<Finding> result;
  for (Entry* e : kept) result.push_back(std::move(e->finding));
  std::sort(result.begin(), result.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.party.file, a.party.line, a.kind, a.cls, a.party.column, a.other.line, a.other.column,
                    a.array, a.index) < std::tie(b.party.file, b.party.line, b.kind, b.cls, b.party.column,
                                                 b.other.line, b.other.column, b.array, b.index);
  });
  std::vector<Finding> few;
  unsigned same = 0;
  for (Finding& f : result) {
    bool again = !few.empty() && few.back().party.file == f.party.file &&
                 few.back().party.line == f.party.line && few.back().kind == f.kind &&
                 few.back().cls == f.cls;
    same = again ? same + 1 : 0;
    if (same < perLine) few.push_back(std::move(f));
  }
  entries.clear();
  // Known to threads by their places, so they stay; each is as new again.
  for (auto& [hash, r] : repeats) {
    r.count = 0;
    r.block = UINT64_MAX;
  }
  none.store(true, std::memory_order_relaxed);
  return few;
}

}  // namespace hone::sim
