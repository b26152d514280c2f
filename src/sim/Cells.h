// Shadow cells of a stretch of memory: per 4-byte word the last writer and two readers, per byte where words are used in parts.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>

#include "sim/AccessRecord.h"

namespace hone::sim {

struct CellRow {
  Record* writer = nullptr;
  Record* reader = nullptr;  // one reader; of the readers since the last barrier a late one
  Record* second = nullptr;  // another, of another block or warp where there is one; old when `reader` is
};

class Cells {
 public:
  // `skew` moves the rows within their memory, so that equal places of many such do not fall into one set of a cache.
  explicit Cells(uint32_t wordCount, uint32_t skew = 0)
      : wordCount(wordCount), memory(new Record[size_t(wordCount) * 3 + skew % 64 * 8]()) {
    Record* start = memory.get() + skew % 64 * 8;
    row = {start, start + wordCount, start + size_t(wordCount) * 2};
  }
  void clear() {
    std::memset(row.writer, 0, size_t(wordCount) * 3 * sizeof(Record));
    join();
  }
  // Words are whole again; for when all records are old.
  void join() {
    if (!anySplit) return;
    anySplit = false;
    std::memset(split.get(), 0, wordCount);
  }
  const CellRow& words() const { return row; }
  bool hasSplit() const { return anySplit; }
  bool isSplit(uint32_t word) const { return anySplit && split[word]; }
  // The cells of the bytes, four per word; the word's own cell is out of use from then on.
  const CellRow& bytesOf(uint32_t word);

 private:
  uint32_t wordCount;
  bool anySplit = false;
  CellRow row, byteRow;
  std::unique_ptr<Record[]> memory, byteMemory;
  std::unique_ptr<uint8_t[]> split;
};

// Short critical sections among a few host threads.
class SpinLock {
 public:
  void lock();
  void unlock() { taken.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken{false};
};

}  // namespace hone::sim
