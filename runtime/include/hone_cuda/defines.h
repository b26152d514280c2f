// Attribute macros and version numbers.
#pragma once
#pragma GCC system_header

#ifdef __CUDA__
#define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080

// Plain C++ files that call the runtime see the same names without their meaning.
#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device)) __attribute__((annotate("hone_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#endif
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#ifdef __CUDA__  // in C++ the standard library's headers write the attribute by this name
#define __noinline__ __attribute__((noinline))
#endif
#define __inline_hint__
#define __no_return__ __attribute__((noreturn))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__ __thread
#define __nv_pure__ __attribute__((pure))
#define __location__(a) __attribute__((a))
#define __cdecl
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __cuda_builtin_vars__
#define __specialization_static static
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#ifdef __CUDA__
#define __hone_device __attribute__((device))
#define __hone_both __attribute__((host)) __attribute__((device))
#else
#define __hone_device
#define __hone_both
#endif
#define __hone_make static __inline__ __attribute__((always_inline)) __hone_both
