// openacc.h: data on the device.
#include <cstdlib>
#include <cstring>

#include "Data.h"
#include "Embedded.h"

using namespace hone::acc;

namespace {

void* bring(const char* site, int kind, void* host, size_t bytes, int async) {
  const Lock lock(mutex());
  const Where place = placeOf(site, async);
  return place.device && host ? enterDynamic(place, kind, nullptr, host, bytes) : host;
}

void take(const char* site, int kind, void* host, size_t bytes, int async) {
  const Lock lock(mutex());
  const Where place = placeOf(site, async);
  if (place.device && host) exitDynamic(place, kind, nullptr, host, bytes);
}

void update(const char* site, int kind, void* host, size_t bytes, int async) {
  const Lock lock(mutex());
  const Where place = placeOf(site, async);
  if (!place.device) return;
  Item item;
  item.item.kind = kind;
  item.item.host = static_cast<char*>(host);
  item.item.bytes = bytes;
  updateItem(place, item);
}

void requireDevice(const char* site, const char* what, const void* address) {
  if (!address) fail(site, std::string(what) + " is a null pointer");
  if (!isOfDevice(address))
    fail(site, std::string(what) +
                   " is no address of the device; those come from acc_malloc, acc_create and acc_deviceptr");
}

// Of what a copy takes for the host's.
void requireHost(const char* site, const char* what, const void* address) {
  if (!address) fail(site, std::string(what) + " is a null pointer");
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, address) == cudaSuccess &&
      attributes.type == cudaMemoryTypeDevice)
    fail(site, std::string(what) + " is an address of the device, where one of the host is needed");
}

void copy(const char* site, void* to, const void* from, size_t bytes, int async, bool isToDevice,
          bool isFromDevice) {
  if (bytes == 0 || to == from) return;
  const Lock lock(mutex());
  const Where place = placeOf(site, async);
  if (!place.device) {
    if (!to || !from) fail(site, std::string(to ? "the source" : "the target") + " is a null pointer");
    std::memmove(to, from, bytes);
    return;
  }
  (isToDevice ? requireDevice : requireHost)(site, "the target", to);
  (isFromDevice ? requireDevice : requireHost)(site, "the source", from);
  const cudaMemcpyKind kind = !isToDevice    ? cudaMemcpyDeviceToHost
                              : isFromDevice ? cudaMemcpyDeviceToDevice
                                             : cudaMemcpyHostToDevice;
  const cudaError_t status = place.isSync() ? cudaMemcpy(to, from, bytes, kind)
                                            : cudaMemcpyAsync(to, from, bytes, kind, place.stream);
  check(site, status, "copying");
}

// The copy that a device has of a section of the host.
char* copyOn(const char* site, const char* what, const Device& device, const void* host, size_t bytes) {
  const PresentTable::Result result = device.table.find(host, bytes);
  const std::string name = std::string(what) + " on device " + std::to_string(device.number);
  if (result.found == PresentTable::Found::Partly) failPartly(site, name.c_str(), host, bytes, *result.entry);
  if (result.found == PresentTable::Found::Absent) failAbsent(site, name.c_str(), host, bytes);
  return result.entry->at(host);
}

void copyBetween(const char* site, void* to, void* from, size_t bytes, int toNumber, int fromNumber,
                 int async) {
  if (bytes == 0 || (to == from && toNumber == fromNumber)) return;
  const Lock lock(mutex());
  const Where place = placeOf(site, async);
  if (!to || !from) fail(site, std::string(to ? "the source" : "the target") + " is a null pointer");
  if (!place.device) {
    std::memmove(to, from, bytes);
    return;
  }
  Device &target = *deviceOf(site, toNumber), &source = *deviceOf(site, fromNumber);
  char* const d = copyOn(site, "the target", target, to, bytes);
  const char* const s = copyOn(site, "the source", source, from, bytes);
  cudaError_t status = cudaSuccess;
  if (&target != &source)
    status = cudaMemcpyPeer(d, toNumber, s, fromNumber, bytes);
  else if (place.isSync())
    status = cudaMemcpy(d, s, bytes, cudaMemcpyDeviceToDevice);
  else
    status = cudaMemcpyAsync(d, s, bytes, cudaMemcpyDeviceToDevice, place.stream);
  check(site, status, "copying");
}

void attachOne(const char* site, void** pointer, int async) {
  const Lock lock(mutex());
  const Where place = placeOf(site, async);
  if (place.device && pointer) attach(place, {{pointer, nullptr}});
}

void detachOne(const char* site, void** pointer, int async, bool isFinal) {
  const Lock lock(mutex());
  const Where place = placeOf(site, async);
  if (place.device && pointer) detach(place, pointer, isFinal);
}

constexpr int sync = hone_acc_sync;

}  // namespace

void* acc_malloc(size_t bytes) noexcept {
  const Lock lock(mutex());
  Device* const device = currentDevice("acc_malloc");
  if (bytes == 0) return nullptr;
  if (!device) return std::malloc(bytes);
  freePending(*device);
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  check("acc_malloc", status, "allocating memory");
  device->allocations[memory] = bytes;
  if (hone_name_memory) hone_name_memory(memory, "memory of acc_malloc", 0);
  return memory;
}

void acc_free(void* memory) noexcept {
  const char* const site = "acc_free";
  if (!memory) return;
  const Lock lock(mutex());
  for (int k = 0; k < deviceCount(); ++k) {
    Device& device = *deviceOf(site, k);
    const auto known = device.allocations.find(memory);
    if (known == device.allocations.end()) continue;
    for (const auto& [host, entry] : device.table.all())
      if (entry->isMapped && entry->device >= memory &&
          entry->device < static_cast<char*>(memory) + known->second)
        fail(site, "acc_map_data has mapped " + quoted(nullptr, entry->host, entry->bytes) +
                       " to this memory; acc_unmap_data has to come first");
    device.allocations.erase(known);
    check(site, cudaSetDevice(k), "the device cannot be used");
    check(site, cudaFree(memory), "freeing memory");
    currentDevice(site);
    return;
  }
  if (currentDevice(site)) fail(site, "this is no memory that acc_malloc gave, or it was freed before");
  std::free(memory);
}

void* acc_copyin(void* host, size_t bytes) noexcept {
  return bring("acc_copyin", hone_acc_copyin, host, bytes, sync);
}
void acc_copyin_async(void* host, size_t bytes, int async) noexcept {
  bring("acc_copyin_async", hone_acc_copyin, host, bytes, async);
}
void* acc_create(void* host, size_t bytes) noexcept {
  return bring("acc_create", hone_acc_create, host, bytes, sync);
}
void acc_create_async(void* host, size_t bytes, int async) noexcept {
  bring("acc_create_async", hone_acc_create, host, bytes, async);
}
void acc_copyout(void* host, size_t bytes) noexcept {
  take("acc_copyout", hone_acc_copyout, host, bytes, sync);
}
void acc_copyout_async(void* host, size_t bytes, int async) noexcept {
  take("acc_copyout_async", hone_acc_copyout, host, bytes, async);
}
void acc_copyout_finalize(void* host, size_t bytes) noexcept {
  take("acc_copyout_finalize", hone_acc_copyout | hone_acc_finalize, host, bytes, sync);
}
void acc_copyout_finalize_async(void* host, size_t bytes, int async) noexcept {
  take("acc_copyout_finalize_async", hone_acc_copyout | hone_acc_finalize, host, bytes, async);
}
void acc_delete(void* host, size_t bytes) noexcept { take("acc_delete", hone_acc_delete, host, bytes, sync); }
void acc_delete_async(void* host, size_t bytes, int async) noexcept {
  take("acc_delete_async", hone_acc_delete, host, bytes, async);
}
void acc_delete_finalize(void* host, size_t bytes) noexcept {
  take("acc_delete_finalize", hone_acc_delete | hone_acc_finalize, host, bytes, sync);
}
void acc_delete_finalize_async(void* host, size_t bytes, int async) noexcept {
  take("acc_delete_finalize_async", hone_acc_delete | hone_acc_finalize, host, bytes, async);
}
void acc_update_device(void* host, size_t bytes) noexcept {
  update("acc_update_device", hone_acc_update_device, host, bytes, sync);
}
void acc_update_device_async(void* host, size_t bytes, int async) noexcept {
  update("acc_update_device_async", hone_acc_update_device, host, bytes, async);
}
void acc_update_self(void* host, size_t bytes) noexcept {
  update("acc_update_self", hone_acc_update_self, host, bytes, sync);
}
void acc_update_self_async(void* host, size_t bytes, int async) noexcept {
  update("acc_update_self_async", hone_acc_update_self, host, bytes, async);
}

void acc_map_data(void* host, void* device, size_t bytes) noexcept {
  const char* const site = "acc_map_data";
  const Lock lock(mutex());
  const Where place = placeOf(site, sync);
  if (!place.device) return;
  if (!host) fail(site, "the host's address is a null pointer");
  requireHost(site, "the host's address", host);
  requireDevice(site, "the device's address", device);
  if (bytes == 0) fail(site, "there is nothing to map: the size is 0");
  const PresentTable::Result result = place.device->table.find(host, bytes);
  if (result.entry)
    fail(site, quoted(nullptr, host, bytes) + " is present already, as part of " +
                   quoted(result.entry->name.c_str(), result.entry->host, result.entry->bytes) + " from " +
                   result.entry->site);
  Entry entry;
  entry.host = static_cast<char*>(host);
  entry.bytes = bytes;
  entry.device = static_cast<char*>(device);
  entry.site = site;
  entry.dynamic = 1;
  entry.isMapped = true;
  tellLinks(place, place.device->table.add(std::move(entry)), true);
}

void acc_unmap_data(void* host) noexcept {
  const char* const site = "acc_unmap_data";
  const Lock lock(mutex());
  const Where place = placeOf(site, sync);
  if (!place.device) return;
  if (!host) fail(site, "the address is a null pointer");
  Entry* const entry = place.device->table.containing(host);
  if (!entry || entry->host != host || !entry->isMapped)
    fail(site, entry ? "this was mapped by no acc_map_data: it is part of " +
                           quoted(entry->name.c_str(), entry->host, entry->bytes) + " from " + entry->site
                     : std::string("this was mapped by no acc_map_data, or is no longer mapped"));
  if (entry->structured)
    fail(site, "a data region that goes on holds " + quoted(nullptr, host, entry->bytes));
  drop(place, *entry);
}

void* acc_deviceptr(void* host) noexcept {
  const Lock lock(mutex());
  const Device* const device = currentDevice("acc_deviceptr");
  if (!device || !host) return host;
  const Entry* const entry = device->table.containing(host);
  if (entry) return entry->at(host);
  cudaPointerAttributes attributes;  // managed memory has one address for both
  if (cudaPointerGetAttributes(&attributes, host) == cudaSuccess && attributes.type == cudaMemoryTypeManaged)
    return host;
  cudaGetLastError();
  return nullptr;
}

void* acc_hostptr(void* address) noexcept {
  const Lock lock(mutex());
  const Device* const device = currentDevice("acc_hostptr");
  if (!device || !address) return address;
  const Entry* const entry = device->table.ofDevice(address);
  return entry ? entry->host + (static_cast<char*>(address) - entry->device) : nullptr;
}

int acc_is_present(void* host, size_t bytes) noexcept {
  const Lock lock(mutex());
  const Device* const device = currentDevice("acc_is_present");
  if (!host) return 0;
  if (!device) return 1;
  if (device->table.find(host, bytes ? bytes : 1).found == PresentTable::Found::Whole) return 1;
  cudaPointerAttributes attributes;
  const bool isManaged =
      cudaPointerGetAttributes(&attributes, host) == cudaSuccess && attributes.type == cudaMemoryTypeManaged;
  cudaGetLastError();
  return isManaged;
}

void acc_memcpy_to_device(void* to, void* from, size_t bytes) noexcept {
  copy("acc_memcpy_to_device", to, from, bytes, sync, true, false);
}
void acc_memcpy_to_device_async(void* to, void* from, size_t bytes, int async) noexcept {
  copy("acc_memcpy_to_device_async", to, from, bytes, async, true, false);
}
void acc_memcpy_from_device(void* to, void* from, size_t bytes) noexcept {
  copy("acc_memcpy_from_device", to, from, bytes, sync, false, true);
}
void acc_memcpy_from_device_async(void* to, void* from, size_t bytes, int async) noexcept {
  copy("acc_memcpy_from_device_async", to, from, bytes, async, false, true);
}
void acc_memcpy_device(void* to, void* from, size_t bytes) noexcept {
  copy("acc_memcpy_device", to, from, bytes, sync, true, true);
}
void acc_memcpy_device_async(void* to, void* from, size_t bytes, int async) noexcept {
  copy("acc_memcpy_device_async", to, from, bytes, async, true, true);
}
void acc_memcpy_d2d(void* to, void* from, size_t bytes, int to_device, int from_device) noexcept {
  copyBetween("acc_memcpy_d2d", to, from, bytes, to_device, from_device, sync);
}
void acc_memcpy_d2d_async(void* to, void* from, size_t bytes, int to_device, int from_device,
                          int async) noexcept {
  copyBetween("acc_memcpy_d2d_async", to, from, bytes, to_device, from_device, async);
}
void acc_attach(void** pointer) noexcept { attachOne("acc_attach", pointer, sync); }
void acc_attach_async(void** pointer, int async) noexcept { attachOne("acc_attach_async", pointer, async); }
void acc_detach(void** pointer) noexcept { detachOne("acc_detach", pointer, sync, false); }
void acc_detach_async(void** pointer, int async) noexcept {
  detachOne("acc_detach_async", pointer, async, false);
}
void acc_detach_finalize(void** pointer) noexcept { detachOne("acc_detach_finalize", pointer, sync, true); }
void acc_detach_finalize_async(void** pointer, int async) noexcept {
  detachOne("acc_detach_finalize_async", pointer, async, true);
}
