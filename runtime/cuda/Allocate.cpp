// Memory of all kinds: device, pitched, host, managed, arrays.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "Runtime.h"
#include "ir/CountOf.h"

using namespace hone::cuda;

namespace {

constexpr size_t pitchAlignment = 512;

// Names a buffer after the place that made it, until a kernel's parameter says better.
std::string nameOf(const char* what, size_t bytes) {
  return what + (" of " + hone::ir::countOf(bytes, "byte"));
}

// The product of sizes, or more than any device has where it is too large to say.
size_t product(size_t a, size_t b) {
  size_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? SIZE_MAX : out;
}

size_t pitchFor(size_t width) {
  if (width > SIZE_MAX - pitchAlignment) return SIZE_MAX;
  return (width + pitchAlignment - 1) / pitchAlignment * pitchAlignment;
}

// Device memory comes from the host page by page, when it is touched: more than there is would end the
// program without a word.
void warnAboutHost(uint64_t bytes) {
  static bool isSaid = false;
  const uint64_t here = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  if (bytes <= here || isSaid || Runtime::get().settings.quiet) return;
  isSaid = true;
  fmt::print(
      stderr,
      "hone: the program has {:.1f} GB of device memory and this machine {:.1f} GB; what it touches of it "
      "must fit\n",
      double(bytes) / 1e9, double(here) / 1e9);
}

cudaError_t allocate(void** p, size_t bytes, const char* what) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  if (r.sticky) return result(r.sticky);
  *p = nullptr;
  if (bytes == 0) return cudaSuccess;
  const uint64_t used = r.allocatedBytes();
  if (double(bytes) + double(used) > r.target.memoryGB * 1e9) return result(cudaErrorMemoryAllocation);
  try {
    *p = reinterpret_cast<void*>(
        r.device.memory.allocate(bytes, nameOf(what, bytes), 0, r.settings.fast, 512));
  } catch (const std::exception&) {
    return result(cudaErrorMemoryAllocation);
  }
  warnAboutHost(used + bytes);
  return cudaSuccess;
}

// Whole pages, so that they can be closed while a kernel writes them.
cudaError_t allocateHost(void** p, size_t bytes, bool isManaged) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  if (r.sticky) return result(r.sticky);
  *p = nullptr;
  if (bytes == 0) return isManaged ? result(cudaErrorInvalidValue) : cudaSuccess;
  const size_t page = size_t(sysconf(_SC_PAGESIZE)), whole = (bytes + page - 1) / page * page;
  // A closed page before and after.
  auto* at = static_cast<uint8_t*>(
      mmap(nullptr, whole + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (at == MAP_FAILED) return result(cudaErrorMemoryAllocation);
  mprotect(at + page, whole, PROT_READ | PROT_WRITE);
  *p = at + page;
  r.device.memory.adopt(*p, bytes, nameOf(isManaged ? "managed memory" : "pinned memory", bytes), isManaged);
  return cudaSuccess;
}

cudaError_t release(void* p, bool hostOnly) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  if (!p) return cudaSuccess;
  r.synchronize();
  hone::sim::Buffer* b = r.device.memory.at(reinterpret_cast<uint64_t>(p));
  if (!b || (hostOnly && !b->isHost) || (!hostOnly && b->isHost && !b->isManaged)) {
    hone::sim::Finding f;
    f.kind = hone::sim::FindingKind::WildPointer;
    f.party = callerPlace();
    const std::string stray = r.device.memory.describeStray(reinterpret_cast<uint64_t>(p));
    f.message = fmt::format("{} of a pointer that no allocation gave{}",
                            hostOnly ? "cudaFreeHost" : "cudaFree", stray.empty() ? "" : " (" + stray + ")");
    r.report(std::move(f));
    return result(cudaErrorInvalidValue);
  }
  const size_t size = b->size;
  const bool isHost = b->isHost;
  r.device.memory.release(reinterpret_cast<uint64_t>(p));
  if (isHost) {
    const size_t page = size_t(sysconf(_SC_PAGESIZE)), whole = (size + page - 1) / page * page;
    munmap(static_cast<uint8_t*>(p) - page, whole + 2 * page);
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMalloc(void** p, size_t bytes) { return allocate(p, bytes, "cudaMalloc"); }
cudaError_t cudaMallocAsync(void** p, size_t bytes, cudaStream_t s) {
  if (s > cudaStreamPerThread && s->capture) return result(addGraphAllocation(*s->capture, bytes, p));
  return allocate(p, bytes, "cudaMallocAsync");
}
cudaError_t cudaMallocFromPoolAsync(void** p, size_t bytes, cudaMemPool_t, cudaStream_t s) {
  return cudaMallocAsync(p, bytes, s);
}
cudaError_t cudaFree(void* p) { return release(p, false); }
cudaError_t cudaFreeAsync(void* p, cudaStream_t s) {
  if (s <= cudaStreamPerThread || !s->capture) return release(p, false);
  addGraphFree(*s->capture, p);
  return cudaSuccess;
}
cudaError_t cudaMallocManaged(void** p, size_t bytes, unsigned) { return allocateHost(p, bytes, true); }
cudaError_t cudaMallocHost(void** p, size_t bytes) { return allocateHost(p, bytes, false); }
cudaError_t cudaHostAlloc(void** p, size_t bytes, unsigned) { return allocateHost(p, bytes, false); }
cudaError_t cudaFreeHost(void* p) { return release(p, true); }

cudaError_t cudaMallocPitch(void** p, size_t* pitch, size_t width, size_t height) {
  *pitch = pitchFor(width);
  return allocate(p, product(*pitch, height), "cudaMallocPitch");
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* p, cudaExtent extent) {
  p->pitch = pitchFor(extent.width);
  p->xsize = extent.width;
  p->ysize = extent.height;
  return allocate(
      &p->ptr,
      product(product(p->pitch, std::max<size_t>(1, extent.height)), std::max<size_t>(1, extent.depth)),
      "cudaMalloc3D");
}

cudaError_t cudaMalloc3DArray(cudaArray_t* out, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
  auto* a = new cudaArray;
  a->format = *format;
  a->extent = extent;
  a->flags = flags;
  a->pitch = product(a->texelBytes(), extent.width);
  void* p = nullptr;
  if (const cudaError_t status =
          allocate(&p, product(product(a->pitch, a->rows()), a->slices()), "CUDA array")) {
    delete a;
    return status;
  }
  a->address = reinterpret_cast<uint64_t>(p);
  *out = a;
  return cudaSuccess;
}
cudaError_t cudaMallocArray(cudaArray_t* out, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned flags) {
  return cudaMalloc3DArray(out, format, {width, height, 0}, flags);
}
cudaError_t cudaFreeArray(cudaArray_t a) {
  if (!a) return cudaSuccess;
  const cudaError_t status = release(reinterpret_cast<void*>(a->address), false);
  delete a;
  return status;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t a) {
  if (format) *format = a->format;
  if (extent) *extent = a->extent;
  if (flags) *flags = a->flags;
  return cudaSuccess;
}

// For runtimes above this one: findings call the memory by this name, and count its elements, or its bytes
// where their size is 0.
extern "C" void hone_name_memory(const void* p, const char* name, unsigned long elementBytes) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  hone::sim::Buffer* const buffer = r.deviceBuffer(p);
  if (!buffer) return;
  buffer->name = name;
  buffer->isUntyped = elementBytes == 0 || elementBytes > UINT32_MAX;
  buffer->elementBytes = buffer->isUntyped ? 1 : uint32_t(elementBytes);
}

// Likewise: so many addresses before what is allocated next lead to no memory.
extern "C" void hone_leave_addresses(unsigned long bytes) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  r.device.memory.leaveFree(bytes);
}

cudaError_t cudaHostRegister(void* p, size_t bytes, unsigned) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  if (r.device.memory.at(reinterpret_cast<uint64_t>(p))) return result(cudaErrorHostMemoryAlreadyRegistered);
  r.device.memory.adopt(p, bytes, nameOf("registered host memory", bytes), false);
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* p) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  r.synchronize();
  if (!r.device.memory.at(reinterpret_cast<uint64_t>(p))) return result(cudaErrorHostMemoryNotRegistered);
  r.device.memory.release(reinterpret_cast<uint64_t>(p));
  return cudaSuccess;
}
cudaError_t cudaHostGetDevicePointer(void** p, void* host, unsigned) {
  if (!Runtime::get().deviceBuffer(host)) return result(cudaErrorInvalidValue);
  *p = host;
  return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned* flags, void*) {
  *flags = cudaHostAllocMapped;
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) {
  std::memset(a, 0, sizeof *a);
  const hone::sim::Buffer* b = Runtime::get().deviceBuffer(p);
  a->type = !b             ? cudaMemoryTypeUnregistered
            : b->isManaged ? cudaMemoryTypeManaged
            : b->isHost    ? cudaMemoryTypeHost
                           : cudaMemoryTypeDevice;
  a->memoryType = a->type;
  a->isManaged = b && b->isManaged;
  a->devicePointer = b ? const_cast<void*>(p) : nullptr;
  a->hostPointer = !b || b->isHost ? const_cast<void*>(p) : nullptr;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
  Runtime& r = Runtime::get();
  *total = size_t(r.target.memoryGB * 1e9);
  *available = *total - std::min<size_t>(*total, r.allocatedBytes());
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  *pool = nullptr;
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
