#pragma GCC system_header
// What older programs use and newer toolkits no longer declare; force-included after the toolkit's own headers.
#ifndef HONE_CUDA_COMPAT_H
#define HONE_CUDA_COMPAT_H

#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

#define __hone_device __attribute__((device))
#include "hone_cuda/scoped_atomics.h"

__hone_device float __tanhf(float);

// Loads and stores with a word to the caches that Clang's headers leave out.
#define HONE_CACHED(T)          \
  __hone_device T __ldca(const T*); \
  __hone_device T __ldlu(const T*); \
  __hone_device void __stwb(T*, T); \
  __hone_device void __stcg(T*, T); \
  __hone_device void __stcs(T*, T);
HONE_CACHED(char)
HONE_CACHED(signed char)
HONE_CACHED(short)
HONE_CACHED(int)
HONE_CACHED(long)
HONE_CACHED(long long)
HONE_CACHED(unsigned char)
HONE_CACHED(unsigned short)
HONE_CACHED(unsigned int)
HONE_CACHED(unsigned long)
HONE_CACHED(unsigned long long)
HONE_CACHED(float)
HONE_CACHED(double)
HONE_CACHED(char2)
HONE_CACHED(char4)
HONE_CACHED(short2)
HONE_CACHED(short4)
HONE_CACHED(int2)
HONE_CACHED(int4)
HONE_CACHED(longlong2)
HONE_CACHED(uchar2)
HONE_CACHED(uchar4)
HONE_CACHED(ushort2)
HONE_CACHED(ushort4)
HONE_CACHED(uint2)
HONE_CACHED(uint4)
HONE_CACHED(ulonglong2)
HONE_CACHED(float2)
HONE_CACHED(float4)
HONE_CACHED(double2)
#undef HONE_CACHED

// nvcc brings these without being asked.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <functional>
#include <utility>

// Said again in the same words these do no harm where a toolkit still has them.
extern "C" {
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit, size_t);
cudaError_t cudaThreadGetLimit(size_t*, enum cudaLimit);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache*);
}

#if CUDART_VERSION >= 12000

#include "hone_cuda/texture_references.h"

#endif

#if CUDART_VERSION >= 13000

extern "C" {
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void*, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void*, cudaArray_const_t, size_t, size_t, size_t, enum cudaMemcpyKind);
}
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void*, size_t, enum cudaMemoryAdvise, int);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, cudaGraphNode_t*, char*, size_t);

// A block of threads may wait for the kernels it launched, as it could before CUDA 12.
__attribute__((device)) cudaError_t cudaDeviceSynchronize(void);

#endif
#endif
