// The forms of the runtime's functions that take typed pointers, symbols and kernels by name.
#pragma once
#pragma GCC system_header

// clang-format off
#define __hone_inline template <class T> inline cudaError_t

template <class T> struct __hone_channel {
  static constexpr int bits = 0, lanes = 0;
  static constexpr cudaChannelFormatKind kind = cudaChannelFormatKindNone;
};
#define __hone_channel_of(V, T, N, K) \
  template <> struct __hone_channel<V> { \
    static constexpr int bits = 8 * sizeof(T), lanes = N; \
    static constexpr cudaChannelFormatKind kind = K; \
  };
#define __hone_channels(T, N, K) \
  __hone_channel_of(T, T, 1, K) __hone_channel_of(N##1, T, 1, K) __hone_channel_of(N##2, T, 2, K) __hone_channel_of(N##4, T, 4, K)
__hone_channels(signed char, char, cudaChannelFormatKindSigned)
__hone_channels(unsigned char, uchar, cudaChannelFormatKindUnsigned)
__hone_channels(short, short, cudaChannelFormatKindSigned)
__hone_channels(unsigned short, ushort, cudaChannelFormatKindUnsigned)
__hone_channels(int, int, cudaChannelFormatKindSigned)
__hone_channels(unsigned int, uint, cudaChannelFormatKindUnsigned)
__hone_channels(float, float, cudaChannelFormatKindFloat)
__hone_channel_of(char, char, 1, cudaChannelFormatKindSigned)
#undef __hone_channels
#undef __hone_channel_of
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) { return cudaEventCreateWithFlags(event, flags); }
// As CUDA 13 spells them.
inline cudaError_t cudaMemPrefetchAsync(const void* at, size_t bytes, struct cudaMemLocation to, unsigned int, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(at, bytes, to.id, stream);
}
inline cudaError_t cudaMemAdvise(const void* at, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation to) {
  return cudaMemAdvise(at, bytes, advice, to.id);
}
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  constexpr int b = __hone_channel<T>::bits, n = __hone_channel<T>::lanes;
  return {b, n > 1 ? b : 0, n > 2 ? b : 0, n > 3 ? b : 0, __hone_channel<T>::kind};
}

__hone_inline cudaMallocManaged(T** p, size_t n, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)(void*)p, n, flags);
}
template <class T> __hone_both inline cudaError_t cudaMalloc(T** p, size_t n) { return cudaMalloc((void**)(void*)p, n); }
__hone_inline cudaMallocHost(T** p, size_t n, unsigned int flags = 0) { return cudaHostAlloc((void**)(void*)p, n, flags); }
__hone_inline cudaHostAlloc(T** p, size_t n, unsigned int flags) { return cudaHostAlloc((void**)(void*)p, n, flags); }
__hone_inline cudaHostGetDevicePointer(T** p, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer((void**)(void*)p, host, flags);
}
__hone_inline cudaMallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch((void**)(void*)p, pitch, width, height);
}
__hone_inline cudaMallocFromPoolAsync(T** p, size_t n, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(void*)p, n, pool, stream);
}
__hone_inline cudaMallocAsync(T** p, size_t n, cudaStream_t stream) { return cudaMallocAsync((void**)(void*)p, n, stream); }
__hone_inline cudaMemcpyToSymbol(const T& symbol, const void* from, size_t n, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void*)&symbol, from, n, offset, kind);
}
__hone_inline cudaMemcpyFromSymbol(void* to, const T& symbol, size_t n, size_t offset = 0,
                                   cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void*)&symbol, n, offset, kind);
}
__hone_inline cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t n, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void*)&symbol, from, n, offset, kind, stream);
}
__hone_inline cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t n, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, n, offset, kind, stream);
}
__hone_inline cudaGetSymbolAddress(void** p, const T& symbol) { return cudaGetSymbolAddress(p, (const void*)&symbol); }
__hone_inline cudaGetSymbolSize(size_t* n, const T& symbol) { return cudaGetSymbolSize(n, (const void*)&symbol); }
__hone_inline cudaFuncSetCacheConfig(T* fn, cudaFuncCache config) { return cudaFuncSetCacheConfig((const void*)fn, config); }
__hone_inline cudaFuncSetSharedMemConfig(T* fn, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void*)fn, config);
}
__hone_inline cudaFuncGetAttributes(cudaFuncAttributes* a, T* fn) { return cudaFuncGetAttributes(a, (const void*)fn); }
__hone_inline cudaFuncSetAttribute(T* fn, cudaFuncAttribute which, int value) {
  return cudaFuncSetAttribute((const void*)fn, which, value);
}
__hone_inline cudaLaunchKernel(T* fn, dim3 grid, dim3 block, void** args, size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void*)fn, grid, block, args, shared, stream);
}
__hone_inline cudaLaunchCooperativeKernel(T* fn, dim3 grid, dim3 block, void** args, size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void*)fn, grid, block, args, shared, stream);
}
template <class... P, class... A>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*fn)(P...), A&&... args) {
  return [&](P... values) {
    void* pointers[sizeof...(P) + 1] = {(void*)&values...};
    return cudaLaunchKernelExC(config, (const void*)fn, pointers);
  }(static_cast<A&&>(args)...);
}
__hone_inline cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, T fn, int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, (const void*)fn, threads, shared);
}
__hone_inline cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, T fn, int threads, size_t shared, unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, (const void*)fn, threads, shared);
}
__hone_inline cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T fn, size_t shared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, (const void*)fn, shared, limit);
}
__hone_inline cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, T fn, size_t shared = 0, int limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, (const void*)fn, shared, limit);
}
// The largest block whose own need of shared memory fits.
template <class F, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, T fn, F sharedOf, int limit = 0) {
  cudaError_t status = cudaOccupancyMaxPotentialBlockSize(grid, block, (const void*)fn, 0, limit);
  for (int threads = *block; status == cudaSuccess && threads > 0; threads -= 32) {
    int blocks = 0;
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)fn, threads, sharedOf(threads));
    *block = threads;
    if (blocks > 0) break;
  }
  return status;
}
template <class T> cudaError_t cudaOccupancyMaxActiveClusters(int*, T*, const cudaLaunchConfig_t*);
// clang-format on

#undef __hone_inline
