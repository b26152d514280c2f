// The driver API on the embedded device: the same device, memory, streams and events as the runtime API's.
#pragma once

#include "Runtime.h"
#include "cuda_stub/cuda.h"

namespace hone::cuda {

CUresult driverResult(cudaError_t status);

}  // namespace hone::cuda
