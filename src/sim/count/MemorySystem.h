// L1 caches, L2 and DRAM of a target: where each sector of an access is found.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/count/Counters.h"
#include "sim/count/SectorCache.h"
#include "target/CountSectors.h"
#include "target/Target.h"

namespace hone::sim {

class MemorySystem {
 public:
  // `sharedInUse`: bytes of shared memory that the blocks of one multiprocessor hold, where it shares storage
  // with the L1.
  MemorySystem(const target::Target& target, uint64_t sharedInUse);

  // Sectors of one request; counts l1Hits, l2Sectors, l2Hits, dramSectors and what it waits for. `warp` tells
  // warps apart.
  void load(unsigned sm, const target::Touched& sectors, bool throughL1, uint8_t warp, MemoryCount& count);
  // Parts of a sector that a warp stores one soon after the other go to the L2 together. `count` must live
  // until flushStores.
  void store(unsigned sm, const target::Touched& sectors, uint8_t warp, MemoryCount& count);
  void flushStores();  // nothing waits for its other parts any longer
  // `passes` sectors are sent to the L2, which does the arithmetic.
  void atomic(const target::Touched& sectors, unsigned passes, MemoryCount& count);

  bool cachesLoads(bool readOnly) const;
  bool hasL2() const { return l2.has_value(); }

  uint64_t writtenBackLines = 0;
  uint64_t writtenBack = 0;  // dirty sectors that left the L2
  uint64_t filled = 0;       // of them, sectors read from DRAM first because only a part was written
  // Sectors in the L2: newer than DRAM, written in part only, all, and as many as fit.
  uint64_t busiestAtomics() const;  // passes of atomics over the atomicBytes that have most
  struct Held {
    uint64_t dirty = 0, partial = 0, all = 0, atMost = 0;
  };
  Held held() const;

  static unsigned l1KiB(const target::Target& target, uint64_t sharedInUse);

 private:
  const target::Target& target;
  unsigned l1Bytes;
  std::vector<std::unique_ptr<SectorCache>> l1;  // by multiprocessor, made when first used
  std::optional<SectorCache> l2;
  std::vector<uint32_t> l1Requests;  // loads so far, by multiprocessor
  uint32_t requestsSeen = 0;         // reads of the L2 so far
  uint64_t visited = UINT64_MAX;     // the line that the request under way fetched from last
  std::deque<uint64_t> dirtyLines;   // by tag, the one that was written first in front
  uint64_t dirty = 0, dirtyAtMost;   // sectors
  struct PartialStore {
    uint64_t sector;
    uint32_t bytes;
    MemoryCount* count;
  };
  struct StoreBuffer {
    std::array<uint16_t, 256> ofWarp{};              // 1 + where its stores are in `waiting`, 0: nowhere yet
    std::vector<std::vector<PartialStore>> waiting;  // of a warp, the oldest in front
  };
  std::vector<StoreBuffer> storeBuffers;                // by multiprocessor
  std::unordered_map<uint64_t, uint64_t> atomicPasses;  // by atomicBytes
  std::array<double, UINT8_MAX + 1> mergedOf{};         // by how often a sector was asked for before

  SectorCache& l1Of(unsigned sm);
  std::vector<PartialStore>& waitingOf(unsigned sm, uint8_t warp);
  SectorCache::Line& l2Line(uint64_t sector);
  void readL2(uint64_t sector, MemoryCount& count);
  void mergeRequest(SectorCache::Line& line, unsigned index, MemoryCount& count);
  void writeL2(uint64_t sector, uint32_t bytes);
  void dirtied(SectorCache::Line& line, unsigned index, uint32_t bytes);
  void fetch(SectorCache::Line& line, unsigned index, MemoryCount& count);
  void writeBack(SectorCache::Line& line);
};

}  // namespace hone::sim
