// What a device reaches at most: a plain copy, and chains of multiply-adds in 32 and 64 bits.
#pragma once

#include "worker/Device.h"

namespace hone::worker {

// Takes a second or so. What cannot be built or run on the device is left at zero.
Ceilings measureCeilings(Device& device);

}  // namespace hone::worker
