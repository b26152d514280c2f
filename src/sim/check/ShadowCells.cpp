#include "sim/check/ShadowCells.h"

#include <thread>

namespace hone::sim {

namespace {

constexpr Record laneStep = Record(1) << threadShift;

}  // namespace

ShadowCells::ShadowCells(uint32_t words, uint32_t skew)
    : wordCount((words + lineWords - 1) / lineWords * lineWords),
      lineMemory(new Record[size_t(wordCount / lineWords) * 3 + skew % 16 * 8]()),
      grains(new uint8_t[wordCount / lineWords]()) {
  const size_t count = wordCount / lineWords;
  Record* start = lineMemory.get() + skew % 16 * 8;
  lineRow = {start, start + count, start + count * 2};
}

void ShadowCells::clear() {
  const size_t count = wordCount / lineWords;
  std::memset(lineRow.writer, 0, count * 3 * sizeof(Record));
  std::memset(grains.get(), untouched, count);
  join();
}

void ShadowCells::forget(uint32_t line) {
  lineRow.writer[line] = lineRow.reader[line] = lineRow.second[line] = 0;
  grains[line] = untouched;
}

void ShadowCells::spreadOut(uint32_t line) {
  if (!memory) {
    memory.reset(new Record[size_t(wordCount) * 3]);
    row = {memory.get(), memory.get() + wordCount, memory.get() + size_t(wordCount) * 2};
  }
  const unsigned grain = grains[line];
  const Record from[3] = {lineRow.writer[line], lineRow.reader[line], lineRow.second[line]};
  Record* const to[3] = {row.writer + size_t(line) * lineWords, row.reader + size_t(line) * lineWords,
                         row.second + size_t(line) * lineWords};
  grains[line] = spread;
  newest(line) = std::max(from[0], std::max(from[1], from[2]));
  const unsigned shift = grain >= 2 ? grain - 2 : 0;
  for (unsigned k = 0; k < 3; ++k)
    for (unsigned i = 0; i < lineWords; ++i) to[k][i] = from[k] ? from[k] + (i >> shift) * laneStep : 0;
  if (grain >= 2 || grain == untouched) return;
  // Several lanes in a word.
  for (unsigned i = 0; i < lineWords; ++i) {
    const uint32_t word = line * lineWords + i;
    splitWord(word);
    for (unsigned b = 0; b < 4; ++b) {
      const Record lane = ((i * 4 + b) >> grain) * laneStep;
      byteRow.writer[size_t(word) * 4 + b] = from[0] ? from[0] + lane : 0;
      byteRow.reader[size_t(word) * 4 + b] = from[1] ? from[1] + lane : 0;
      byteRow.second[size_t(word) * 4 + b] = from[2] ? from[2] + lane : 0;
    }
  }
}

void ShadowCells::splitWord(uint32_t word) {
  if (!byteMemory) {
    size_t n = size_t(wordCount) * 4;
    byteMemory.reset(new Record[n * 3]());
    byteRow = {byteMemory.get(), byteMemory.get() + n, byteMemory.get() + n * 2};
    split.reset(new uint8_t[wordCount]());
  }
  split[word] = 1;
  anySplit = true;
  for (uint32_t i = 0; i < 4; ++i) {
    byteRow.writer[word * 4 + i] = row.writer[word];
    byteRow.reader[word * 4 + i] = row.reader[word];
    byteRow.second[word * 4 + i] = row.second[word];
  }
}

void SpinLock::wait() {
  unsigned tries = 0;
  do {
    while (taken.load(std::memory_order_relaxed))
      if (++tries % 64 == 0) std::this_thread::yield();
  } while (taken.exchange(true, std::memory_order_acquire));
}

}  // namespace hone::sim
