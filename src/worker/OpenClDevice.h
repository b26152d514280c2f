// Devices of every OpenCL platform that the ICD loader finds. Their ids are "opencl:PLATFORM:DEVICE".
#pragma once

#include "worker/Device.h"

namespace hone::worker {

std::vector<DeviceInfo> listOpenClDevices();  // throws std::runtime_error where there is no loader
std::unique_ptr<Device> openOpenClDevice(unsigned platform, unsigned device);

}  // namespace hone::worker
