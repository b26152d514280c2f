// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "util_type.cuh"

namespace cub {
__hone_device inline int LaneId() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31;
}
__hone_device inline int RowMajorTid(int x, int y, int) {
  return threadIdx.x + x * (threadIdx.y + y * threadIdx.z);
}
}  // namespace cub
