// bfloat16 in host code.
#include "cuda_stub/cuda_bf16.h"

#define NAME(BEFORE, AFTER) BEFORE##bfloat16##AFTER
#define ONE __nv_bfloat16
#define TWO __nv_bfloat162
#define ONE_RAW __nv_bfloat16_raw
#define ROUND hone::sim::roundToBFloat
#define FROM_BITS hone::sim::bfloatFromBits
#define TO_BITS hone::sim::bfloatBits
#include "HostHalf.inc"

__nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }

__half::__half(const __nv_bfloat16 f) : __half(__bfloat162float(f)) {}
__nv_bfloat16::__nv_bfloat16(const __half f) : __nv_bfloat16(__half2float(f)) {}
