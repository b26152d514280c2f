// A device function that kernels of other files call.
#include "weights.h"

__device__ float weighted(float value) { return 3 * value + 1; }
