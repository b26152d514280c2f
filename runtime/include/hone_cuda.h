#pragma GCC system_header
// CUDA's language and runtime as declarations, for parsing kernels and compiling them to PTX without a toolkit.
// Force-include it with -nocudainc -nocudalib. Device functions are declared only: enough for syntax and -S.
#ifndef HONE_CUDA_H
#define HONE_CUDA_H

#ifndef __cplusplus
#error the headers of CUDA are C++ here
#endif

// Programs ask by these whether the toolkit's headers were read.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __HOST_DEFINES_H__

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "hone_cuda/defines.h"
#include "hone_cuda/vector_types.h"
#ifdef __CUDA__
#include "hone_cuda/coordinates.h"
#include "hone_cuda/math.h"
#include "hone_cuda/intrinsics.h"
#include "hone_cuda/synchronize.h"
#include "hone_cuda/atomics.h"
#include "hone_cuda/scoped_atomics.h"
#endif
#include "hone_cuda/runtime_types.h"
#include "hone_cuda/runtime_api.h"
#include "hone_cuda/runtime_templates.h"
#ifdef __CUDA__
#include "hone_cuda/texture.h"
#endif

// nvcc brings assert without being asked.
#if __has_include(<assert.h>)
#include <assert.h>
#endif

#endif
