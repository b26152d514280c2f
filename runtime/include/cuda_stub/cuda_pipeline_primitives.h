// Stands in for the toolkit's header of this name: the primitives only.
#pragma once
#pragma GCC system_header
#include "../hone_cuda.h"

__hone_device void __pipeline_memcpy_async(void*, const void*, size_t, size_t = 0);
__hone_device void __pipeline_commit();
__hone_device void __pipeline_wait_prior(size_t);
