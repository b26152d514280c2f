// Where a thread stands.
#pragma once
#pragma GCC system_header

extern const __hone_device uint3 threadIdx;
extern const __hone_device uint3 blockIdx;
extern const __hone_device dim3 blockDim;
extern const __hone_device dim3 gridDim;
const int warpSize = 32;
