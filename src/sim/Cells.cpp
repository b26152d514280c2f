#include "sim/Cells.h"

#include <thread>

namespace hone::sim {

const CellRow& Cells::bytesOf(uint32_t word) {
  if (!byteMemory) {
    size_t n = size_t(wordCount) * 4;
    byteMemory.reset(new Record[n * 3]());
    byteRow = {byteMemory.get(), byteMemory.get() + n, byteMemory.get() + n * 2};
    split.reset(new uint8_t[wordCount]());
  }
  if (!split[word]) {
    split[word] = 1;
    anySplit = true;
    for (uint32_t i = 0; i < 4; ++i) {
      byteRow.writer[word * 4 + i] = row.writer[word];
      byteRow.reader[word * 4 + i] = row.reader[word];
      byteRow.second[word * 4 + i] = row.second[word];
    }
  }
  return byteRow;
}

void SpinLock::lock() {
  unsigned tries = 0;
  while (taken.exchange(true, std::memory_order_acquire))
    while (taken.load(std::memory_order_relaxed))
      if (++tries % 64 == 0) std::this_thread::yield();
}

}  // namespace hone::sim
