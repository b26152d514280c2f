// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "util_type.cuh"

#ifndef CubDebug
#define CubDebug(e) (e)
#define CubDebugExit(e) \
  if ((e) != cudaSuccess) exit(1)
#endif
