// Shadow cells of a stretch of memory: per 4-byte word the last writer and two readers, per byte where words
// are used in parts.
//
// Most accesses are rows: neighbouring lanes at neighbouring elements. So a line of 64 bytes that was only
// touched by rows of one element size has one cell in the place of sixteen: the records of its first lane,
// from which those of the others follow. It is spread out over its words when something else touches it.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>

#include "sim/check/AccessRecord.h"

namespace hone::sim {

struct CellRow {
  Record* writer = nullptr;
  Record* reader = nullptr;  // one reader; of the readers since the last barrier a late one
  Record* second = nullptr;  // another, of another block or warp where there is one; old when `reader` is
};

class ShadowCells {
 public:
  static constexpr unsigned lineShift = 4;  // words of a line, as a power of two
  static constexpr unsigned lineWords = 1u << lineShift;

  // `skew` moves the rows within their memory, so that equal places of many such do not fall into one set of
  // a cache.
  explicit ShadowCells(uint32_t wordCount, uint32_t skew = 0);
  void clear();
  // Words are whole again; for when all records are old.
  void join() {
    if (!anySplit) return;
    anySplit = false;
    std::memset(split.get(), 0, wordCount);
  }

  // Lines. The grain of a line is log2 of the bytes of a lane, `untouched` or `spread`.
  static constexpr uint8_t untouched = 0, spread = 0xff;
  const CellRow& lines() const { return lineRow; }
  uint8_t& grain(uint32_t line) { return grains[line]; }
  // The clock of the last access to a line that is spread, as a record; kept for shared memory only.
  Record& newest(uint32_t line) { return lineRow.writer[line]; }
  void forget(uint32_t line);  // all its records are old and no word is split: as if nobody had touched it

  // Makes the cells of a word usable.
  void open(uint32_t word) {
    if (grains[word >> lineShift] != spread) spreadOut(word >> lineShift);
  }
  const CellRow& words() const { return row; }  // of lines that are spread
  bool hasSplit() const { return anySplit; }
  bool isSplit(uint32_t word) const { return anySplit && split[word]; }
  bool hasSplit(uint32_t word, uint32_t count) const {
    return anySplit && std::memchr(split.get() + word, 1, count) != nullptr;
  }
  // The cells of the bytes, four per word; the word's own cell is out of use from then on.
  const CellRow& bytesOf(uint32_t word) {
    if (!byteMemory || !split[word]) splitWord(word);
    return byteRow;
  }

 private:
  void spreadOut(uint32_t line);
  void splitWord(uint32_t word);

  uint32_t wordCount;  // whole lines
  bool anySplit = false;
  CellRow lineRow, row, byteRow;
  std::unique_ptr<Record[]> lineMemory, memory, byteMemory;
  std::unique_ptr<uint8_t[]> grains, split;
};

// Short critical sections among a few host threads.
class SpinLock {
 public:
  void lock() {
    if (taken.exchange(true, std::memory_order_acquire)) wait();
  }
  void unlock() { taken.store(false, std::memory_order_release); }

 private:
  void wait();
  std::atomic<bool> taken{false};
};

}  // namespace hone::sim
