#include "sim/count/MemorySystem.h"

#include <algorithm>
#include <cmath>

namespace hone::sim {

namespace {

constexpr uint32_t wholeSector = ~uint32_t(0);

}  // namespace

MemorySystem::MemorySystem(const target::Target& t, uint64_t sharedInUse)
    : target(t),
      l1Bytes(l1KiB(t, sharedInUse) * 1024),
      dirtyAtMost(uint64_t(t.l2DirtyKiB) * 1024 / sectorBytes) {
  l1.resize(t.multiprocessors);
  l1Requests.resize(t.multiprocessors);
  storeBuffers.resize(t.multiprocessors);
  for (unsigned times = 1; times < mergedOf.size(); ++times)
    mergedOf[times] = 1 - std::exp(-2 * t.l2Merge * times);
  if (t.l2EffectiveKiB) l2.emplace(uint64_t(t.l2EffectiveKiB) * 1024, t.l2LineBytes, t.l2Ways);
}

// Shared memory gets the smallest of the sizes it can have that holds what is in use.
unsigned MemorySystem::l1KiB(const target::Target& target, uint64_t sharedInUse) {
  if (target.l1CarveoutsKiB.empty()) return target.l1KiB;
  for (unsigned carveout : target.l1CarveoutsKiB)
    if (uint64_t(carveout) * 1024 >= sharedInUse) return target.l1KiB - carveout;
  return target.l1KiB - target.l1CarveoutsKiB.back();
}

bool MemorySystem::cachesLoads(bool readOnly) const {
  return l1Bytes && (target.l1Global == target::CachedLoads::All ||
                     (target.l1Global == target::CachedLoads::ReadOnly && readOnly));
}

SectorCache& MemorySystem::l1Of(unsigned sm) {
  auto& cache = l1[sm % l1.size()];
  if (!cache) cache = std::make_unique<SectorCache>(l1Bytes, target.l1LineBytes, target.l1Ways);
  return *cache;
}

void MemorySystem::load(unsigned sm, const target::Touched& sectors, bool throughL1, uint8_t warp,
                        MemoryCount& count) {
  visited = UINT64_MAX;
  const uint64_t dramBefore = count.dramSectors;
  if (!throughL1) {
    for (unsigned i = 0; i < sectors.count; ++i) readL2(sectors.block[i], count);
    ++count.waitsForL2;
    count.waitsForDram += count.dramSectors != dramBefore;
    return;
  }
  SectorCache& cache = l1Of(sm);
  const uint32_t now = ++l1Requests[sm % l1.size()];
  const unsigned perFetch = target.l1SectorBytes / sectorBytes;
  bool waitsForL2 = false, waitsForDram = false;
  for (unsigned i = 0; i < sectors.count; ++i) {
    const uint64_t sector = sectors.block[i];
    const unsigned index = cache.indexOf(sector);
    SectorCache::Line* line = cache.find(cache.tagOf(sector));
    if (line && (line->valid >> index & 1)) {
      ++count.l1Hits;
      const bool isLate = now - line->askedAt < target.requestsUnderWay && line->fetchedBy != warp;
      waitsForL2 |= isLate;
      waitsForDram |= isLate && line->fromDram;
      continue;
    }
    if (!line) line = &cache.place(cache.tagOf(sector), [](const SectorCache::Line&) {});
    const unsigned first = index / perFetch * perFetch;
    const uint64_t before = count.dramSectors;
    for (unsigned s = first; s < first + perFetch; ++s) {
      if (line->valid >> s & 1) continue;
      line->valid |= uint8_t(1u << s);
      readL2(sector - index + s, count);
    }
    line->askedAt = now;
    line->fetchedBy = warp;
    line->fromDram = count.dramSectors != before;
    waitsForL2 = true;
    waitsForDram |= line->fromDram;
  }
  count.waitsForL2 += waitsForL2;
  count.waitsForDram += waitsForDram;
}

void MemorySystem::flushStores() {
  for (StoreBuffer& buffer : storeBuffers) {
    for (std::vector<PartialStore>& waiting : buffer.waiting) {
      for (const PartialStore& one : waiting) ++one.count->partialSectors;
      waiting.clear();
    }
  }
}

std::vector<MemorySystem::PartialStore>& MemorySystem::waitingOf(unsigned sm, uint8_t warp) {
  StoreBuffer& buffer = storeBuffers[sm % storeBuffers.size()];
  if (!buffer.ofWarp[warp]) {
    buffer.waiting.emplace_back();
    buffer.ofWarp[warp] = static_cast<uint16_t>(buffer.waiting.size());
  }
  return buffer.waiting[buffer.ofWarp[warp] - 1u];
}

void MemorySystem::store(unsigned sm, const target::Touched& sectors, uint8_t warp, MemoryCount& count) {
  std::vector<PartialStore>& waiting = waitingOf(sm, warp);
  for (unsigned i = 0; i < sectors.count; ++i) {
    const uint64_t sector = sectors.block[i];
    if (l1Bytes && target.l1Store == target::StoreHit::Evict) {
      SectorCache& cache = l1Of(sm);
      if (SectorCache::Line* line = cache.find(cache.tagOf(sector)))
        line->valid &= uint8_t(~(1u << cache.indexOf(sector)));
    }
    if (!l2) {
      ++count.l2Sectors;
      ++count.dramSectors;
      continue;
    }
    writeL2(sector, sectors.bytes[i]);
    const auto same = std::find_if(waiting.begin(), waiting.end(),
                                   [&](const PartialStore& one) { return one.sector == sector; });
    if (same != waiting.end() && !(same->bytes & sectors.bytes[i])) {
      same->bytes |= sectors.bytes[i];
      if (same->bytes == wholeSector) waiting.erase(same);
      continue;
    }
    ++count.l2Sectors;
    if (sectors.bytes[i] == wholeSector) continue;
    if (same != waiting.end()) {  // written again: on its own
      ++count.partialSectors;
      continue;
    }
    waiting.push_back({sector, sectors.bytes[i], &count});
    if (waiting.size() <= target.storeSectors) continue;
    ++waiting.front().count->partialSectors;
    waiting.erase(waiting.begin());
  }
}

void MemorySystem::atomic(const target::Touched& sectors, unsigned passes, MemoryCount& count) {
  visited = UINT64_MAX;
  count.l2Sectors += passes;
  // Passes over one sector follow each other; several sectors of the request share them evenly.
  for (unsigned i = 0; i < sectors.count; ++i)
    atomicPasses[sectors.block[i] / (target.atomicBytes / sectorBytes)] +=
        (passes + sectors.count - 1 - i) / sectors.count;
  if (!l2) {
    count.dramSectors += 2 * passes;  // read and written
    return;
  }
  for (unsigned i = 0; i < sectors.count; ++i) {
    SectorCache::Line& line = l2Line(sectors.block[i]);
    const unsigned index = l2->indexOf(sectors.block[i]);
    if (line.valid >> index & 1)
      ++count.l2Hits;
    else
      fetch(line, index, count);
    dirtied(line, index, sectors.bytes[i]);
  }
}

SectorCache::Line& MemorySystem::l2Line(uint64_t sector) {
  const uint64_t tag = l2->tagOf(sector);
  if (SectorCache::Line* line = l2->find(tag)) return *line;
  return l2->place(tag, [this](SectorCache::Line& old) { writeBack(old); });
}

void MemorySystem::readL2(uint64_t sector, MemoryCount& count) {
  ++count.l2Sectors;
  if (!l2) {
    ++count.dramSectors;
    return;
  }
  SectorCache::Line& line = l2Line(sector);
  const unsigned index = l2->indexOf(sector);
  if (target.l2Merge > 0) mergeRequest(line, index, count);
  if ((line.valid >> index & 1) || line.written[index] == wholeSector)
    ++count.l2Hits;
  else
    fetch(line, index, count);
}

// Multiprocessors that ask for the same sector at about the same time are served together. How near in time
// they are is not known here; the more of them ask in a while, the likelier two of them meet.
void MemorySystem::mergeRequest(SectorCache::Line& line, unsigned index, MemoryCount& count) {
  ++requestsSeen;
  if (requestsSeen - line.askedAt > target.l2MergeRequests) line.asked = {};
  line.askedAt = requestsSeen;
  uint8_t& times = line.asked[index];
  // The nth of them, at an even rate, stands for a while with 2n.
  if (times) count.merged += mergedOf[times];
  if (times < UINT8_MAX) ++times;
}

// A miss brings its neighbours in the unit that DRAM delivers.
void MemorySystem::fetch(SectorCache::Line& line, unsigned index, MemoryCount& count) {
  const unsigned perFetch = std::max(1u, target.l2FetchBytes / sectorBytes);
  const unsigned first = index / perFetch * perFetch;
  for (unsigned s = first; s < first + perFetch; ++s) {
    if ((line.valid >> s & 1) || line.written[s] == wholeSector) continue;
    line.valid |= uint8_t(1u << s);
    ++count.dramSectors;
    count.dramVisits += visited != line.tag;
    visited = line.tag;
  }
}

void MemorySystem::writeL2(uint64_t sector, uint32_t bytes) {
  SectorCache::Line& line = l2Line(sector);
  dirtied(line, l2->indexOf(sector), bytes);
}

// Only so much of the L2 may be newer than DRAM; beyond it the lines that were written first are written
// back.
void MemorySystem::dirtied(SectorCache::Line& line, unsigned index, uint32_t bytes) {
  if (std::all_of(line.written.begin(), line.written.end(), [](uint32_t w) { return w == 0; }))
    dirtyLines.push_back(line.tag);
  if (!line.written[index]) ++dirty;
  line.written[index] |= bytes;
  const uint64_t justWritten = line.tag;
  while (dirty > dirtyAtMost && !dirtyLines.empty() && dirtyLines.front() != justWritten) {
    SectorCache::Line* oldest = l2->peek(dirtyLines.front());
    dirtyLines.pop_front();
    if (oldest) writeBack(*oldest);
  }
}

// A sector of which only a part was written is completed from DRAM first.
void MemorySystem::writeBack(SectorCache::Line& line) {
  const uint64_t before = writtenBack;
  for (unsigned s = 0; s < maxSectors; ++s) {
    if (!line.written[s]) continue;
    ++writtenBack;
    --dirty;
    if (!(line.valid >> s & 1) && line.written[s] != wholeSector) ++filled;
    line.valid |= uint8_t(1u << s);
    line.written[s] = 0;
  }
  writtenBackLines += writtenBack != before;
}

uint64_t MemorySystem::busiestAtomics() const {
  uint64_t most = 0;
  for (const auto& [piece, passes] : atomicPasses) most = std::max(most, passes);
  return most;
}

MemorySystem::Held MemorySystem::held() const {
  Held out;
  if (!l2) return out;
  const unsigned perLine = target.l2LineBytes / sectorBytes;
  out.atMost = l2->lineCount() * perLine;
  l2->forEachHeld([&](const SectorCache::Line& line) {
    for (unsigned s = 0; s < perLine; ++s) {
      const bool isValid = line.valid >> s & 1;
      out.dirty += line.written[s] != 0;
      out.partial += line.written[s] != 0 && line.written[s] != wholeSector && !isValid;
      out.all += line.written[s] != 0 || isValid;
    }
  });
  return out;
}

}  // namespace hone::sim
