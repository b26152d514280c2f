// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "device_reduce.cuh"
