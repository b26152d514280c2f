// What nvcc gives host code without being asked.
#pragma once
#pragma GCC system_header

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#ifdef __CUDA__
// CUDA's own functions that host code may call too.
inline __host__ float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline __host__ float rsqrt(float x) { return 1.0f / sqrtf(x); }
inline __host__ double rsqrt(double x) { return 1.0 / sqrt(x); }
#endif
