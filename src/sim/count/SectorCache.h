// A set-associative cache of lines in 32-byte sectors: which sectors it holds, and which of their bytes were
// written.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace hone::sim {

inline constexpr unsigned sectorBytes = 32;
inline constexpr unsigned maxSectors = 4;  // of a line, which has a power of two of them

class SectorCache {
 public:
  struct Line {
    uint64_t tag = UINT64_MAX;                // address / bytes of a line
    uint8_t valid = 0;                        // sectors that are whole
    std::array<uint8_t, maxSectors> asked{};  // how often each was asked for lately
    uint32_t askedAt = 0;                     // when that was
    uint8_t fetchedBy = 0;                    // the warp that had it fetched
    bool fromDram = false;
    std::array<uint32_t, maxSectors> written{};  // bytes that memory does not have yet
  };

  // Sets are found by a hash of the address, so that strides by powers of two do not all meet in one.
  SectorCache(uint64_t bytes, unsigned lineBytes, unsigned ways);

  // The line with this tag, made the youngest; null when it is not there.
  Line* find(uint64_t tag) {
    // Neighbouring sectors are asked for one after another.
    return latest && latest->tag == tag ? latest : findInSet(tag);
  }
  Line* peek(uint64_t tag);  // the same without making it younger
  // Room for this tag, which is not there, in place of the oldest of its set, which `evict` sees first when
  // it holds something.
  template <class Evict>
  Line& place(uint64_t tag, Evict&& evict) {
    Line& line = roomFor(tag);
    if (line.tag != UINT64_MAX) evict(line);
    line = Line{};
    line.tag = tag;
    return line;
  }

  uint64_t tagOf(uint64_t sector) const { return sector >> sectorShift; }
  unsigned indexOf(uint64_t sector) const {  // in its line
    return static_cast<unsigned>(sector) & ((1u << sectorShift) - 1);
  }
  uint64_t lineCount() const { return uint64_t(sets.size()) * ways; }
  template <class Visit>
  void forEachHeld(Visit&& visit) const {
    for (uint32_t k = 0; k < lineTotal; ++k) visit(lines[k / linesOfPart][k % linesOfPart]);
  }

 private:
  struct Way {
    uint64_t tag;
    Line* line;
  };
  // Ways of a set lie side by side, the youngest first, and are made when something is first placed in it;
  // lines are made one by one: most runs touch little of a large cache. What is searched lies apart from what
  // is found, and neither ever moves.
  struct Set {
    Way* ways = nullptr;
    uint32_t held = 0;
  };
  static constexpr uint32_t setsOfPart = 16, linesOfPart = 64;
  unsigned sectorShift, ways;
  std::vector<Set> sets;
  std::vector<std::unique_ptr<Way[]>> waysOfSets;
  std::vector<std::unique_ptr<Line[]>> lines;
  uint32_t setTotal = 0, lineTotal = 0;  // those that were made
  Line* latest = nullptr;                // the youngest of all

  Set& setOf(uint64_t tag);
  Way* newWays();
  Line* newLine();
  Line* findInSet(uint64_t tag);
  Line& roomFor(uint64_t tag);  // its tag in the set is the new one already
};

}  // namespace hone::sim
