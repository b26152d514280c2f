// Memory of graphs: an address is given when the node is made, memory is at it from the run of that node to
// the run of one that frees it, or cudaFree.
#include <sys/mman.h>

#include <algorithm>

#include <fmt/format.h>

#include "Runtime.h"
#include "ir/CountOf.h"

using namespace hone::cuda;

namespace {

// Addresses of graphs' memory with their sizes. What is allocated of them is what the device has there now.
struct GraphMemory {
  std::map<uint64_t, size_t> sizes;
  uint64_t usedHigh = 0, reserved = 0, reservedHigh = 0;

  uint64_t used() const {
    uint64_t bytes = 0;
    for (const auto& [address, size] : sizes)
      if (Runtime::get().device.memory.at(address)) bytes += size;
    return bytes;
  }
};
GraphMemory& graphMemory() {
  static GraphMemory only;
  return only;
}

cudaError_t fill(uint64_t address, size_t bytes) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  if (r.device.memory.at(address)) return cudaErrorInvalidValue;
  if (double(bytes) + double(r.allocatedBytes()) > r.target.memoryGB * 1e9) return cudaErrorMemoryAllocation;
  void* data =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return cudaErrorMemoryAllocation;
  // Memory of the device at an address of our choice.
  hone::sim::Buffer* buffer = r.device.memory.adopt(
      reinterpret_cast<void*>(address), bytes, "graph memory of " + hone::ir::countOf(bytes, "byte"), false);
  buffer->data = static_cast<uint8_t*>(data);
  buffer->isHost = false;
  if (!r.settings.fast) buffer->initialized = hone::sim::Buffer::noneOf(bytes);
  GraphMemory& all = graphMemory();
  all.usedHigh = std::max(all.usedHigh, all.used());
  all.reserved = std::max(all.reserved, all.used());
  all.reservedHigh = std::max(all.reservedHigh, all.reserved);
  return cudaSuccess;
}

}  // namespace

cudaError_t hone::cuda::addGraphAllocation(CUgraph_st& graph, size_t bytes, void** address) {
  Runtime& r = Runtime::get();
  if (bytes == 0) return cudaErrorInvalidValue;
  uint64_t at = 0;
  {
    std::lock_guard lock(r.mutex);
    if (double(bytes) > r.target.memoryGB * 1e9) return cudaErrorMemoryAllocation;
    try {  // addresses are given once: this one stays ours
      at = r.device.memory.allocate(bytes, "graph memory of " + hone::ir::countOf(bytes, "byte"), 0, true,
                                    512);
    } catch (const std::exception&) {
      return cudaErrorMemoryAllocation;
    }
    r.device.memory.release(at);
  }
  graphMemory().sizes[at] = bytes;
  graph.allocations.push_back(at);
  graph.nodes.push_back([at, bytes] { return fill(at, bytes); });
  *address = reinterpret_cast<void*>(at);
  return cudaSuccess;
}

void hone::cuda::addGraphFree(CUgraph_st& graph, void* address) {
  graph.nodes.push_back([address] { return cudaFree(address); });
}

cudaError_t hone::cuda::prepareGraphMemory(const CUgraph_st& graph, bool freesItself) {
  for (const uint64_t address : graph.allocations) {
    if (!Runtime::get().device.memory.at(address)) continue;
    if (!freesItself) return cudaErrorInvalidValue;
    if (const cudaError_t status = cudaFree(reinterpret_cast<void*>(address))) return status;
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType which, void* value) {
  const GraphMemory& all = graphMemory();
  auto* out = static_cast<uint64_t*>(value);
  switch (which) {
    case cudaGraphMemAttrUsedMemCurrent: *out = all.used(); return cudaSuccess;
    case cudaGraphMemAttrUsedMemHigh: *out = all.usedHigh; return cudaSuccess;
    case cudaGraphMemAttrReservedMemCurrent: *out = std::max(all.reserved, all.used()); return cudaSuccess;
    case cudaGraphMemAttrReservedMemHigh: *out = all.reservedHigh; return cudaSuccess;
  }
  return result(cudaErrorInvalidValue);
}
cudaError_t cudaDeviceSetGraphMemAttribute(int, cudaGraphMemAttributeType which, void* value) {
  GraphMemory& all = graphMemory();
  if (*static_cast<uint64_t*>(value) != 0) return result(cudaErrorInvalidValue);  // marks are reset only
  if (which == cudaGraphMemAttrUsedMemHigh)
    all.usedHigh = all.used();
  else if (which == cudaGraphMemAttrReservedMemHigh)
    all.reservedHigh = all.reserved;
  else
    return result(cudaErrorInvalidValue);
  return cudaSuccess;
}
cudaError_t cudaDeviceGraphMemTrim(int) {
  graphMemory().reserved = graphMemory().used();
  return cudaSuccess;
}
