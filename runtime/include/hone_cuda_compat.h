#pragma GCC system_header
// What older programs use and newer toolkits no longer declare; force-included after the toolkit's own headers.
#ifndef HONE_CUDA_COMPAT_H
#define HONE_CUDA_COMPAT_H

#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

#endif
