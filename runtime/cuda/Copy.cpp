// Copies and fills in all directions and shapes.
#include <algorithm>
#include <cstring>

#include "Runtime.h"

using namespace hone::cuda;

namespace {

constexpr double hostBytesPerMillisecond = 25e6;  // of a link like PCIe 4
constexpr double deviceBytesPerMillisecond = 1e9;

// Runs now, or records where the stream is being captured.
cudaError_t onStream(cudaStream_t stream, std::function<cudaError_t()> work) {
  if (stream > cudaStreamPerThread && stream->capture) {
    stream->capture->nodes.push_back(std::move(work));
    return cudaSuccess;
  }
  return work();
}

bool isDeviceSide(const hone::sim::Buffer* b) { return b && !b->isHost; }

// Rows of a box from one side to the other.
cudaError_t copyRows(void* to, size_t toPitch, size_t toSlice, const void* from, size_t fromPitch,
                     size_t fromSlice, size_t width, size_t height, size_t depth, cudaMemcpyKind kind,
                     bool isAsync) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  if (r.sticky) return result(r.sticky);
  if (width == 0 || height == 0 || depth == 0) return cudaSuccess;
  if (!to || !from) return result(cudaErrorInvalidValue);
  if (width > toPitch && (height > 1 || depth > 1)) return result(cudaErrorInvalidPitchValue);
  r.synchronizeGuards();
  hone::sim::Buffer *target = r.deviceBuffer(to), *source = r.deviceBuffer(from);
  const bool wantsDeviceTarget = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool wantsDeviceSource = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDefault) {
    const bool targetFits = wantsDeviceTarget ? target != nullptr : !isDeviceSide(target);
    const bool sourceFits = wantsDeviceSource ? source != nullptr : !isDeviceSide(source);
    if (!targetFits || !sourceFits) {
      // An address of the device that is in no buffer has its own report.
      cudaError_t status = cudaSuccess;
      if (!target) r.resolve(to, width, true, status, "copy");
      if (!source) r.resolve(from, width, false, status, "copy");
      if (status == cudaSuccess) {
        hone::sim::Finding f;
        f.kind = hone::sim::FindingKind::WildPointer;
        f.party = callerPlace();
        f.message = !targetFits ? "the direction of the copy does not fit its target"
                                : "the direction of the copy does not fit its source";
        r.report(std::move(f));
      }
      return result(cudaErrorInvalidValue);
    }
  }
  cudaError_t status = cudaSuccess;
  for (size_t z = 0; z < depth; ++z)
    for (size_t y = 0; y < height; ++y) {
      uint8_t* d =
          r.resolve(static_cast<uint8_t*>(to) + z * toSlice + y * toPitch, width, true, status, "copy");
      const uint8_t* s = r.resolve(static_cast<const uint8_t*>(from) + z * fromSlice + y * fromPitch, width,
                                   false, status, "copy");
      if (!d || !s) return result(status);
      std::memmove(d, s, width);
    }
  const double bytes = double(width) * double(height) * double(depth);
  r.clock += 0.001 + bytes / (isDeviceSide(target) && isDeviceSide(source) ? deviceBytesPerMillisecond
                                                                           : hostBytesPerMillisecond);
  if (isAsync && target && target->isHost && isDeviceSide(source)) r.guard(*target);
  if (!isAsync) r.synchronize();
  return cudaSuccess;
}

cudaError_t fillRows(void* to, size_t pitch, size_t slice, int value, size_t width, size_t height,
                     size_t depth) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  if (r.sticky) return result(r.sticky);
  r.synchronizeGuards();
  cudaError_t status = cudaSuccess;
  if (width && !r.deviceBuffer(to)) {
    r.resolve(to, width, true, status, "memset");
    return result(cudaErrorInvalidValue);
  }
  for (size_t z = 0; z < depth; ++z)
    for (size_t y = 0; y < height && width; ++y) {
      uint8_t* d =
          r.resolve(static_cast<uint8_t*>(to) + z * slice + y * pitch, width, true, status, "memset");
      if (!d) return result(status);
      std::memset(d, value, width);
    }
  r.clock += 0.001 + double(width) * double(height) * double(depth) / deviceBytesPerMillisecond;
  return cudaSuccess;
}

void* arrayAt(const cudaArray* a, size_t x, size_t y, size_t z) {
  return reinterpret_cast<void*>(a->address + x + y * a->pitch + z * a->pitch * a->rows());
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copyRows(to, bytes, 0, from, bytes, 0, bytes, 1, 1, kind, false);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return onStream(stream, [=] { return copyRows(to, bytes, 0, from, bytes, 0, bytes, 1, 1, kind, true); });
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copyRows(to, toPitch, 0, from, fromPitch, 0, width, height, 1, kind, false);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return onStream(stream,
                  [=] { return copyRows(to, toPitch, 0, from, fromPitch, 0, width, height, 1, kind, true); });
}

namespace {

cudaError_t copyBox(const cudaMemcpy3DParms& p, bool isAsync) {
  // Positions and widths count texels where an array takes part, bytes otherwise.
  const size_t unit = p.srcArray ? p.srcArray->texelBytes() : p.dstArray ? p.dstArray->texelBytes() : 1;
  const auto side = [](const cudaArray* a, const cudaPitchedPtr& ptr, const cudaPos& pos, void*& at,
                       size_t& pitch, size_t& slice) {
    if (a) {
      at = arrayAt(a, pos.x * a->texelBytes(), pos.y, pos.z);
      pitch = a->pitch;
      slice = a->pitch * a->rows();
    } else {
      pitch = ptr.pitch;
      slice = ptr.pitch * ptr.ysize;
      at = static_cast<uint8_t*>(ptr.ptr) + pos.x + pos.y * pitch + pos.z * slice;
    }
  };
  void *to, *from;
  size_t toPitch, toSlice, fromPitch, fromSlice;
  side(p.dstArray, p.dstPtr, p.dstPos, to, toPitch, toSlice);
  side(p.srcArray, p.srcPtr, p.srcPos, from, fromPitch, fromSlice);
  return copyRows(to, toPitch, toSlice, from, fromPitch, fromSlice, p.extent.width * unit,
                  std::max<size_t>(1, p.extent.height), std::max<size_t>(1, p.extent.depth), p.kind, isAsync);
}

}  // namespace

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return copyBox(*p, false); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  const cudaMemcpy3DParms copy = *p;
  return onStream(stream, [copy] { return copyBox(copy, true); });
}
cudaError_t cudaMemcpyToArray(cudaArray_t a, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return copyRows(arrayAt(a, x, y, 0), bytes, 0, from, bytes, 0, bytes, 1, 1, kind, false);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t a, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyToArray(a, x, y, from, bytes, kind);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t a, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return copyRows(to, bytes, 0, arrayAt(a, x, y, 0), bytes, 0, bytes, 1, 1, kind, false);
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t a, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyFromArray(to, a, x, y, bytes, kind);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t a, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return copyRows(arrayAt(a, x, y, 0), a->pitch, 0, from, pitch, 0, width, height, 1, kind, false);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t a, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2DToArray(a, x, y, from, pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t a, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  return copyRows(to, pitch, 0, arrayAt(a, x, y, 0), a->pitch, 0, width, height, 1, kind, false);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t a, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2DFromArray(to, pitch, a, x, y, width, height, kind);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t tx, size_t ty, cudaArray_const_t from, size_t fx,
                                   size_t fy, size_t bytes, cudaMemcpyKind kind) {
  return copyRows(arrayAt(to, tx, ty, 0), bytes, 0, arrayAt(from, fx, fy, 0), bytes, 0, bytes, 1, 1, kind,
                  false);
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return fillRows(to, bytes, 0, value, bytes, 1, 1);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return onStream(stream, [=] { return cudaMemset(to, value, bytes); });
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return fillRows(to, pitch, 0, value, width, height, 1);
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return onStream(stream, [=] { return cudaMemset2D(to, pitch, value, width, height); });
}
cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent e) {
  return fillRows(p.ptr, p.pitch, p.pitch * p.ysize, value, e.width, std::max<size_t>(1, e.height),
                  std::max<size_t>(1, e.depth));
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent e, cudaStream_t stream) {
  return onStream(stream, [=] { return cudaMemset3D(p, value, e); });
}

// Symbols

namespace {

cudaError_t symbolAddress(const void* symbol, size_t offset, size_t bytes, void** at) {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  auto it = r.symbols.find(symbol);
  if (it == r.symbols.end()) return result(cudaErrorInvalidSymbol);
  if (offset + bytes > it->second.size) return result(cudaErrorInvalidValue);
  *at = reinterpret_cast<void*>(r.addressOf(it->second) + offset);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  void* at;
  if (const cudaError_t status = symbolAddress(symbol, offset, bytes, &at)) return status;
  Runtime& r = Runtime::get();
  if (kind == cudaMemcpyHostToDevice) r.recordVariable(r.symbols.at(symbol), from, bytes, offset);
  return copyRows(at, bytes, 0, from, bytes, 0, bytes, 1, 1, kind, false);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  void* at;
  if (const cudaError_t status = symbolAddress(symbol, offset, bytes, &at)) return status;
  return copyRows(to, bytes, 0, at, bytes, 0, bytes, 1, 1, kind, false);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  void* at;
  if (const cudaError_t status = symbolAddress(symbol, offset, bytes, &at)) return status;
  return cudaMemcpyAsync(at, from, bytes, kind, stream);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  void* at;
  if (const cudaError_t status = symbolAddress(symbol, offset, bytes, &at)) return status;
  return cudaMemcpyAsync(to, at, bytes, kind, stream);
}
cudaError_t cudaGetSymbolAddress(void** p, const void* symbol) { return symbolAddress(symbol, 0, 0, p); }
cudaError_t cudaGetSymbolSize(size_t* n, const void* symbol) {
  auto it = Runtime::get().symbols.find(symbol);
  if (it == Runtime::get().symbols.end()) return result(cudaErrorInvalidSymbol);
  *n = it->second.size;
  return cudaSuccess;
}
