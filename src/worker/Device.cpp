#include "worker/Device.h"

#include <cstdio>

#include "worker/CudaDevice.h"
#include "worker/OpenClDevice.h"

namespace hone::worker {

std::vector<DeviceInfo> listDevices(std::vector<std::string>& notes) {
  std::vector<DeviceInfo> out;
  for (auto* list : {&listCudaDevices, &listOpenClDevices}) {
    try {
      for (DeviceInfo& info : list()) out.push_back(std::move(info));
    } catch (const std::runtime_error& error) {
      notes.emplace_back(error.what());
    }
  }
  return out;
}

std::unique_ptr<Device> openDevice(const std::string& id) {
  unsigned first = 0, second = 0;
  int used = 0;
  if (std::sscanf(id.c_str(), "cuda:%u%n", &first, &used) == 1 && size_t(used) == id.size())
    return openCudaDevice(static_cast<int>(first));
  if (std::sscanf(id.c_str(), "opencl:%u:%u%n", &first, &second, &used) == 2 && size_t(used) == id.size())
    return openOpenClDevice(first, second);
  throw DeviceError("'" + id + "' is no device; say cuda:0 or opencl:0:0");
}

}  // namespace hone::worker
