// A set-associative cache of lines in 32-byte sectors: which sectors it holds, and which of their bytes were
// written.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace hone::sim {

inline constexpr unsigned sectorBytes = 32;
inline constexpr unsigned maxSectors = 4;  // of a line

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
  Line* find(uint64_t tag);
  Line* peek(uint64_t tag);  // the same without making it younger
  // Room for this tag in place of the oldest of its set, which `evict` sees first when it holds something.
  template <class Evict>
  Line& place(uint64_t tag, Evict&& evict) {
    Line& line = victim(tag);
    if (line.tag != UINT64_MAX) evict(line);
    line = Line{};
    line.tag = tag;
    return line;
  }

  unsigned bytesOfLine() const { return lineSize; }
  uint64_t lineCount() const { return sets.size() * ways; }
  template <class Visit>
  void forEachHeld(Visit&& visit) const {
    for (const Set& set : sets)
      for (const Line& line : set.lines)
        if (line.tag != UINT64_MAX) visit(line);
  }

 private:
  struct Way {
    uint64_t tag = UINT64_MAX;
    uint64_t used = 0;  // when it was last asked for
  };
  // Its lines are made when something is first placed there: most runs touch little of a large cache. What is
  // searched lies apart from what is found.
  struct Set {
    std::vector<Way> ways;
    std::vector<Line> lines;
  };
  unsigned lineSize, ways;
  uint64_t clock = 0;
  std::vector<Set> sets;

  Set& setOf(uint64_t tag);
  static Way* wayOf(Set& set, uint64_t tag);
  Line& victim(uint64_t tag);  // its tag in the set is the new one already
};

}  // namespace hone::sim
