// Arithmetic of the host in a stated rounding. Private to Math*.cpp.
#pragma once

#include "sim/functions/HalfFloat.h"
#include "sim/functions/PureFunctions.h"

namespace hone::sim::math {

// Holds a rounding mode of the host (FE_UPWARD, …) for a while.
class HostRounding {
 public:
  explicit HostRounding(int mode);
  ~HostRounding();
  HostRounding(const HostRounding&) = delete;
  HostRounding& operator=(const HostRounding&) = delete;

 private:
  int before;
};

// Conversions of any scalar to float and to double.
PureFunction findDirectedToFloat(Scalar from, Rounding rounding);
PureFunction findDirectedToDouble(Scalar from, Rounding rounding);

}  // namespace hone::sim::math
