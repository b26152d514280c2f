#include "worker/CaseOnDevice.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

namespace hone::worker {

namespace {

constexpr size_t kMostSets = 32;
// Sets together are so many times as large as the cache, which is never taken for smaller than this: some
// drivers name another cache.
constexpr uint64_t kCachesPerIteration = 3, kSmallestCache = uint64_t(64) << 20;

std::vector<uint8_t> startOf(const ArraySpec& array) {
  if (!array.contents.empty()) return array.contents;
  std::vector<uint8_t> out(array.bytes());
  if (!array.file.empty()) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(array.file, error))
      throw LaunchError("array '" + array.name + "': '" + array.file + "' is no file");
    std::ifstream file(array.file, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size())))
      throw LaunchError("array '" + array.name + "': '" + array.file + "' does not hold " +
                        std::to_string(out.size()) + " bytes");
    return out;
  }
  if (array.isZero) return out;
  const size_t parts =
      std::clamp<size_t>(array.elements >> 16, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (size_t p = 0; p < parts; ++p)
    threads.emplace_back([&, p] {
      const uint64_t first = array.elements * p / parts, last = array.elements * (p + 1) / parts;
      fillElements(out.data() + first * array.elementBytes, first, last - first, array.leaves,
                   array.elementBytes, array.fill);
    });
  for (std::thread& thread : threads) thread.join();
  return out;
}

}  // namespace

CaseOnDevice::CaseOnDevice(Device& on, CaseSpec what) : device(on), ofCase(std::move(what)) {
  uint64_t setBytes = 1, written = 0;
  for (const ArraySpec& array : ofCase.arrays) {
    setBytes += array.bytes();
    if (array.isWritten) written += array.bytes();
  }
  const uint64_t free = device.freeBytes() / 10 * 8;
  if (setBytes + written > free)
    throw LaunchError("the arrays of case '" + ofCase.id + "' take " + std::to_string(setBytes + written) +
                      " bytes, of which the device has " + std::to_string(free));
  for (const ArraySpec& array : ofCase.arrays) pristine.push_back(startOf(array));
  const uint64_t wanted =
      kCachesPerIteration * std::max(device.info().cacheBytes, kSmallestCache) / setBytes + 1;
  const uint64_t fits = (free - written) / setBytes;
  const size_t count = std::clamp<uint64_t>(std::min(wanted, fits), 1, kMostSets);
  for (size_t i = 0; i < ofCase.arrays.size(); ++i) {
    const ArraySpec& array = ofCase.arrays[i];
    pristineOnDevice.push_back(array.isWritten ? device.allocate(array.bytes()) : 0);
    if (array.isWritten) device.upload(pristineOnDevice.back(), pristine[i].data(), array.bytes());
  }
  for (size_t set = 0; set < count; ++set) {
    memory.emplace_back();
    for (size_t i = 0; i < ofCase.arrays.size(); ++i) {
      memory.back().push_back(device.allocate(ofCase.arrays[i].bytes()));
      device.upload(memory.back().back(), pristine[i].data(), ofCase.arrays[i].bytes());
    }
  }
}

CaseOnDevice::~CaseOnDevice() {
  for (Memory one : pristineOnDevice)
    if (one) device.release(one);
  for (const auto& set : memory)
    for (Memory one : set) device.release(one);
}

bool CaseOnDevice::needsRestoring() const {
  return std::any_of(ofCase.arrays.begin(), ofCase.arrays.end(), [](const ArraySpec& array) {
    return array.isWritten && (array.fill.kind != FillKind::Poison || array.isZero);
  });
}

void CaseOnDevice::restore(size_t set) {
  for (size_t i = 0; i < ofCase.arrays.size(); ++i)
    if (pristineOnDevice[i]) device.copy(memory[set][i], pristineOnDevice[i], ofCase.arrays[i].bytes());
}

void CaseOnDevice::renewInputs() {
  for (const auto& set : memory)
    for (size_t i = 0; i < ofCase.arrays.size(); ++i)
      if (!pristineOnDevice[i]) device.upload(set[i], pristine[i].data(), ofCase.arrays[i].bytes());
}

std::span<const uint8_t> CaseOnDevice::contents(size_t set, size_t array) {
  const uint64_t bytes = ofCase.arrays[array].bytes();
  if (downloaded.size() < bytes) downloaded.resize(bytes);
  device.download(downloaded.data(), memory[set][array], bytes);
  return {downloaded.data(), bytes};
}

Memory CaseOnDevice::at(size_t set, const std::string& array) const {
  for (size_t i = 0; i < ofCase.arrays.size(); ++i)
    if (ofCase.arrays[i].name == array) return memory[set][i];
  return 0;
}

}  // namespace hone::worker
