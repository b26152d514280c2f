// Half precision in host code.
#include "cuda_stub/cuda_fp16.h"

#define NAME(BEFORE, AFTER) BEFORE##half##AFTER
#define ONE __half
#define TWO __half2
#define ONE_RAW __half_raw
#define ROUND hone::sim::roundToHalf
#define FROM_BITS hone::sim::halfFromBits
#define TO_BITS hone::sim::halfBits
#include "HostHalf.inc"

__half2 __half2half2(__half a) { return {a, a}; }
