// init and shutdown of devices.
#include "Data.h"

namespace hone::acc {

void initialize(const char* site, int type, int number) {
  if (number < 0)
    selectType(site, type);
  else
    selectNumber(site, number, type);
  if (currentDevice(site)) check(site, cudaFree(nullptr), "the device cannot be used");
}

void shutDown(Lock& lock, const char* site, int type, int number) {
  if (isHostType(type)) return;
  if (type != acc_device_current && type != acc_device_default && type != acc_device_not_host &&
      type != acc_device_nvidia)
    fail(site, "there is no device of this type; known are host, nvidia, not_host and default");
  if (number >= deviceCount()) deviceOf(site, number);  // says so
  for (int k = 0; k < deviceCount(); ++k) {
    if (number >= 0 && k != number) continue;
    Device& device = *deviceOf(site, k);
    Where place;
    place.site = site;
    place.device = &device;
    if (device.table.all().empty() && device.streams.empty()) continue;  // never used
    check(site, cudaSetDevice(k), "the device cannot be used");
    waitFor(lock, site, device, nullptr);
    std::vector<Entry*> ended;
    for (const auto& [host, entry] : device.table.all())
      if (entry->structured == 0) ended.push_back(entry.get());
    for (Entry* entry : ended) drop(place, *entry);
    for (const auto& [queue, stream] : device.streams) cudaStreamDestroy(stream);
    device.streams.clear();
    for (const auto& [host, entry] : device.table.all()) entry->queues.clear();
  }
  currentDevice(site);
}

}  // namespace hone::acc
