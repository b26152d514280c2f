// The host's side of the runtime.
#pragma once
#pragma GCC system_header

extern "C" {
// Clang looks up one of these for <<<>>>, the first where it knows of a toolkit and the second where it does not.
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, struct CUstream_st* = 0);
int cudaConfigureCall(dim3, dim3, size_t = 0, struct CUstream_st* = 0);
}
