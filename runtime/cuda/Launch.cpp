// Launches in all their forms, function attributes, occupancy.
#include <algorithm>
#include <cstring>

#include "Runtime.h"
#include "sim/model/EstimateRegisters.h"

using namespace hone::cuda;

namespace {

// Arguments that outlive the call, for what is recorded.
struct KeptArguments {
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<void*> pointers;
  KeptArguments(const hone::sim::Program& p, void** args) {
    for (size_t k = 0; k < p.parameters.size(); ++k) {
      const auto* from = static_cast<const uint8_t*>(args[k]);
      bytes.emplace_back(from, from + p.parameters[k].size);
    }
    for (auto& b : bytes) pointers.push_back(b.data());
  }
};

}  // namespace

std::function<cudaError_t()> hone::cuda::recorded(const void* fn, dim3 grid, dim3 block, void** args,
                                                  size_t shared, bool cooperative) {
  Runtime& r = Runtime::get();
  KernelEntry* entry = r.find(fn);
  if (!entry || !entry->bundled.reason.empty())
    return [=, &r] { return r.launch(fn, grid, block, args, shared, cooperative); };
  auto kept = std::make_shared<KeptArguments>(r.program(*entry), args);
  return [=, &r] { return r.launch(fn, grid, block, kept->pointers.data(), shared, cooperative); };
}

namespace {

cudaError_t launchOn(cudaStream_t stream, const void* fn, dim3 grid, dim3 block, void** args, size_t shared,
                     bool cooperative) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  if (r.sticky) return result(r.sticky);
  if (stream > cudaStreamPerThread && stream->capture) {
    stream->capture->nodes.push_back(recorded(fn, grid, block, args, shared, cooperative));
    return cudaSuccess;
  }
  r.streamOfLaunch = stream > cudaStreamPerThread ? stream->number : 0;
  return result(r.launch(fn, grid, block, args, shared, cooperative));
}

// Blocks a multiprocessor of the target holds at once.
int activeBlocks(const hone::sim::Program& p, int threads, size_t shared) {
  const Runtime& r = Runtime::get();
  if (threads <= 0 || unsigned(threads) > r.target.threadsPerBlock ||
      p.staticShared + shared > r.target.sharedPerBlockOptIn)
    return 0;
  return int(r.occupancy(p, unsigned(threads), shared).blocks);
}

}  // namespace

extern "C" cudaError_t cudaLaunchKernel(const void* fn, dim3 grid, dim3 block, void** args, size_t shared,
                                        cudaStream_t stream) {
  return launchOn(stream, fn, grid, block, args, shared, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void* fn, dim3 grid, dim3 block, void** args, size_t shared,
                                        cudaStream_t stream) {
  Runtime& r = Runtime::get();
  if (KernelEntry* entry = r.find(fn); entry && entry->bundled.reason.empty()) {
    const int threads = int(block.x * block.y * block.z);
    const uint64_t room =
        uint64_t(activeBlocks(r.program(*entry), threads, shared)) * r.target.multiprocessors;
    if (uint64_t(grid.x) * grid.y * grid.z > room) return result(cudaErrorCooperativeLaunchTooLarge);
  }
  return launchOn(stream, fn, grid, block, args, shared, true);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* fn, void** args) {
  bool cooperative = false;
  for (unsigned k = 0; k < c->numAttrs; ++k)
    if (c->attrs[k].id == cudaLaunchAttributeCooperative) cooperative = c->attrs[k].val.cooperative != 0;
  return launchOn(c->stream, fn, c->gridDim, c->blockDim, args, c->dynamicSmemBytes, cooperative);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* data) {
  if (stream > cudaStreamPerThread && stream->capture) {
    stream->capture->nodes.push_back([=] {
      fn(data);
      return cudaSuccess;
    });
    return cudaSuccess;
  }
  Runtime::get().synchronize();
  fn(data);
  return cudaSuccess;
}

// Function attributes and occupancy

cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaFuncSetAttribute(const void* fn, cudaFuncAttribute which, int value) {
  Runtime& r = Runtime::get();
  KernelEntry* entry = r.find(fn);
  if (!entry) return result(cudaErrorInvalidDeviceFunction);
  if (which != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  const size_t fixed = entry->bundled.reason.empty() ? r.program(*entry).staticShared : 0;
  if (value < 0 || fixed + size_t(value) > r.target.sharedPerBlockOptIn) return result(cudaErrorInvalidValue);
  entry->mostDynamicShared = size_t(value);
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, const void* fn) {
  Runtime& r = Runtime::get();
  KernelEntry* entry = r.find(fn);
  if (!entry) return result(cudaErrorInvalidDeviceFunction);
  std::memset(a, 0, sizeof *a);
  if (entry->bundled.reason.empty()) {
    const hone::sim::Program& p = r.program(*entry);
    a->sharedSizeBytes = p.staticShared;
    a->localSizeBytes = p.localBytes;
    a->numRegs = int(hone::sim::estimateRegisters(p, r.target));
    a->maxThreadsPerBlock = int(p.maxThreads ? p.maxThreads : r.target.threadsPerBlock);
    a->maxDynamicSharedSizeBytes = int(r.mostDynamicShared(*entry, p));
  }
  const auto capability = r.target.computeCapability.value_or(hone::target::ComputeCapability());
  a->binaryVersion = a->ptxVersion = int(capability.major * 10 + capability.minor);
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, const void* fn, int threads,
                                                          size_t shared) {
  KernelEntry* entry = Runtime::get().find(fn);
  if (!entry) return result(cudaErrorInvalidDeviceFunction);
  static const hone::sim::Program none;
  *n = activeBlocks(entry->bundled.reason.empty() ? Runtime::get().program(*entry) : none, threads, shared);
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, const void* fn, int threads,
                                                                   size_t shared, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, fn, threads, shared);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* n, const void* fn, int blocks, int) {
  Runtime& r = Runtime::get();
  KernelEntry* entry = r.find(fn);
  if (!entry || blocks <= 0) return result(cudaErrorInvalidValue);
  const size_t fixed = entry->bundled.reason.empty() ? r.program(*entry).staticShared : 0;
  const size_t each = r.target.sharedPerMultiprocessor / size_t(blocks);
  *n = each > fixed ? each - fixed : 0;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* fn, size_t shared,
                                               int limit) {
  Runtime& r = Runtime::get();
  KernelEntry* entry = r.find(fn);
  if (!entry) return result(cudaErrorInvalidDeviceFunction);
  static const hone::sim::Program none;
  const hone::sim::Program& p = entry->bundled.reason.empty() ? r.program(*entry) : none;
  int most = int(p.maxThreads ? p.maxThreads : r.target.threadsPerBlock);
  if (limit > 0) most = std::min(most, limit);
  int best = 0;
  *block = *grid = 0;
  for (int threads = most / 32 * 32; threads > 0; threads -= 32) {
    const int blocks = activeBlocks(p, threads, shared);
    if (blocks * threads > best) {
      best = blocks * threads;
      *block = threads;
      *grid = blocks * int(r.target.multiprocessors);
    }
  }
  return best ? cudaSuccess : result(cudaErrorInvalidConfiguration);
}
