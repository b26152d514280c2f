// openacc.h: devices and their properties, queues.
#include <chrono>
#include <thread>

#include "Data.h"

using namespace hone::acc;

namespace {

// The device that a number and a type name; null: the host.
Device* named(const char* site, int number, acc_device_t type) {
  if (type == acc_device_none || type == acc_device_radeon) fail(site, "there is no device of this type");
  if (isHostType(type)) {
    if (number > 0) fail(site, "there is one host, number 0, and no " + std::to_string(number));
    return nullptr;
  }
  return deviceOf(site, number);
}

void waitQueue(const char* site, int async, int device) {
  Lock lock(mutex());
  Device* const of = device < 0 ? currentDevice(site) : deviceOf(site, device);
  if (!of) return;
  const std::vector<int> one{async};
  waitFor(lock, site, *of, &one);
}

void waitAll(const char* site, int device) {
  Lock lock(mutex());
  Device* const of = device < 0 ? currentDevice(site) : deviceOf(site, device);
  if (of) waitFor(lock, site, *of, nullptr);
}

// `queues`: null stands for all. On the current device's queue `async`.
void waitWithQueue(const char* site, const std::vector<int>* queues, int async, int device) {
  Lock lock(mutex());
  const Where place = placeOf(site, async);
  if (!place.device) return;
  Device& waited = device < 0 ? *place.device : *deviceOf(site, device);
  if (&waited == place.device)
    waitBefore(lock, place, queues);
  else
    waitFor(lock, site, waited, queues);
}

int isQueueDone(const char* site, int async, int device) {
  const Lock lock(mutex());
  Device* const of = device < 0 ? currentDevice(site) : deviceOf(site, device);
  const int queue = queueOf(site, async);
  return !of || queue == hone_acc_sync || isIdle(site, *of, queue);
}

int areQueuesDone(const char* site, int device) {
  const Lock lock(mutex());
  Device* const of = device < 0 ? currentDevice(site) : deviceOf(site, device);
  if (!of) return 1;
  for (const auto& [queue, stream] : of->streams)
    if (!isIdle(site, *of, queue)) return 0;
  return 1;
}

int waitAny(const char* site, int count, const int* queues, int device) {
  for (;;) {
    bool hasQueue = false;
    for (int k = 0; k < count; ++k) {
      if (queues[k] == acc_async_sync) continue;
      hasQueue = true;
      if (isQueueDone(site, queues[k], device)) return k;
    }
    if (!hasQueue) return -1;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

std::string textOf(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

int acc_get_num_devices(acc_device_t type) noexcept {
  if (type == acc_device_none || type == acc_device_radeon) return 0;
  return isHostType(type) ? 1 : deviceCount();
}
void acc_set_device_type(acc_device_t type) noexcept { selectType("acc_set_device_type", type); }
acc_device_t acc_get_device_type() noexcept { return static_cast<acc_device_t>(currentType()); }
void acc_set_device_num(int device, acc_device_t type) noexcept {
  selectNumber("acc_set_device_num", device, type);
}
int acc_get_device_num(acc_device_t type) noexcept { return currentNumber("acc_get_device_num", type); }
void acc_init(acc_device_t type) noexcept {
  const Lock lock(mutex());
  initialize("acc_init", type, -1);
}
void acc_init_device(int device, acc_device_t type) noexcept {
  const Lock lock(mutex());
  initialize("acc_init_device", type, device);
}
void acc_shutdown(acc_device_t type) noexcept {
  Lock lock(mutex());
  shutDown(lock, "acc_shutdown", type, -1);
}
void acc_shutdown_device(int device, acc_device_t type) noexcept {
  Lock lock(mutex());
  shutDown(lock, "acc_shutdown_device", type, device);
}
// Host code asks; in kernels the compiler answers.
int acc_on_device(acc_device_t type) noexcept { return type == acc_device_host; }

size_t acc_get_property(int device, acc_device_t type, acc_device_property_t property) noexcept {
  const char* const site = "acc_get_property";
  const Lock lock(mutex());
  const Device* const of = named(site, device, type);
  if (property == acc_property_shared_memory_support) return of ? 0 : 1;
  if (!of || (property != acc_property_memory && property != acc_property_free_memory)) return 0;
  int before = 0;
  cudaGetDevice(&before);
  size_t available = 0, total = 0;
  check(site, cudaSetDevice(of->number), "the device cannot be used");
  check(site, cudaMemGetInfo(&available, &total), "asking for memory");
  cudaSetDevice(before);
  return property == acc_property_memory ? total : available;
}

const char* acc_get_property_string(int device, acc_device_t type, acc_device_property_t property) noexcept {
  const char* const site = "acc_get_property_string";
  const Lock lock(mutex());
  const Device* const of = named(site, device, type);
  static auto* const kept = new std::set<std::string>;  // texts live as long as the program
  const auto keep = [&](const std::string& text) { return kept->insert(text).first->c_str(); };
  if (!of) {
    if (property == acc_property_name) return "host";
    return property == acc_property_vendor || property == acc_property_driver ? "" : nullptr;
  }
  if (property == acc_property_vendor) return "NVIDIA";
  if (property == acc_property_name) {
    cudaDeviceProp about;
    check(site, cudaGetDeviceProperties(&about, of->number), "asking for a name");
    return keep(about.name);
  }
  if (property != acc_property_driver) return nullptr;
  int version = 0;
  check(site, cudaDriverGetVersion(&version), "asking for a version");
  return keep(textOf(version));
}

int acc_async_test(int queue) noexcept { return isQueueDone("acc_async_test", queue, -1); }
int acc_async_test_device(int queue, int device) noexcept {
  return isQueueDone("acc_async_test_device", queue, device);
}
int acc_async_test_all() noexcept { return areQueuesDone("acc_async_test_all", -1); }
int acc_async_test_all_device(int device) noexcept {
  return areQueuesDone("acc_async_test_all_device", device);
}
void acc_wait(int queue) noexcept { waitQueue("acc_wait", queue, -1); }
void acc_wait_device(int queue, int device) noexcept { waitQueue("acc_wait_device", queue, device); }
void acc_async_wait(int queue) noexcept { waitQueue("acc_async_wait", queue, -1); }
void acc_wait_async(int queue, int async) noexcept {
  const std::vector<int> one{queue};
  waitWithQueue("acc_wait_async", &one, async, -1);
}
void acc_wait_device_async(int queue, int async, int device) noexcept {
  const std::vector<int> one{queue};
  waitWithQueue("acc_wait_device_async", &one, async, device);
}
void acc_wait_all() noexcept { waitAll("acc_wait_all", -1); }
void acc_wait_all_device(int device) noexcept { waitAll("acc_wait_all_device", device); }
void acc_async_wait_all() noexcept { waitAll("acc_async_wait_all", -1); }
void acc_wait_all_async(int async) noexcept { waitWithQueue("acc_wait_all_async", nullptr, async, -1); }
void acc_wait_all_device_async(int async, int device) noexcept {
  waitWithQueue("acc_wait_all_device_async", nullptr, async, device);
}
int acc_wait_any(int count, int queues[]) noexcept { return waitAny("acc_wait_any", count, queues, -1); }
int acc_wait_any_device(int count, int queues[], int device) noexcept {
  return waitAny("acc_wait_any_device", count, queues, device);
}
int acc_get_default_async() noexcept { return defaultQueue(); }
void acc_set_default_async(int async) noexcept { setDefaultQueue("acc_set_default_async", async); }
