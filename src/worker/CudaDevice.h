// NVIDIA GPUs through the driver and NVRTC.
#pragma once

#include "worker/Device.h"

namespace hone::worker {

std::vector<DeviceInfo> listCudaDevices();  // throws std::runtime_error where there is no driver
std::unique_ptr<Device> openCudaDevice(int index);

}  // namespace hone::worker
