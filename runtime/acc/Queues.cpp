// Queues of async clauses are streams; what has no queue runs on the stream that CUDA has by default.
#include "Device.h"

namespace hone::acc {

namespace {
// No program names it by chance; a number, as programs expect.
constexpr int firstDefault = 1 << 20;
}  // namespace

int& defaultQueue() {
  thread_local int queue = firstDefault;
  return queue;
}

void setDefaultQueue(const char* site, int async) {
  if (async == acc_async_default || async == acc_async_noval) async = firstDefault;
  if (async < 0 && async != acc_async_sync)
    fail(site, std::to_string(async) +
                   " is no queue: numbers of queues are 0 and more, or one of the acc_async_ constants");
  defaultQueue() = async;
}

int queueOf(const char* site, int async) {
  if (async == acc_async_noval || async == acc_async_default) async = defaultQueue();
  if (async == hone_acc_sync || async == acc_async_sync) return hone_acc_sync;
  if (async < 0)
    fail(site, "async(" + std::to_string(async) +
                   ") names no queue: numbers of queues are 0 and more, or one of the acc_async_ constants");
  return async;
}

cudaStream_t streamOf(Device& device, int queue) {
  if (queue == hone_acc_sync) return nullptr;
  const auto known = device.streams.find(queue);
  if (known != device.streams.end()) return known->second;
  cudaStream_t stream = nullptr;
  check("async", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "no queue can be made");
  return device.streams[queue] = stream;
}

Where placeOf(const char* site, int async) {
  Where place;
  place.site = site;
  place.device = currentDevice(site);
  place.queue = queueOf(site, async);
  if (place.device) place.stream = streamOf(*place.device, place.queue);
  return place;
}

namespace {

std::vector<cudaStream_t> streamsOf(const char* site, Device& device, const std::vector<int>* queues) {
  std::vector<cudaStream_t> out;
  if (!queues) {
    for (const auto& [queue, stream] : device.streams) out.push_back(stream);
    return out;
  }
  for (const int async : *queues) {
    const auto it = device.streams.find(queueOf(site, async));
    if (it != device.streams.end()) out.push_back(it->second);  // others have had no work
  }
  return out;
}

}  // namespace

void waitFor(Lock& lock, const char* site, Device& device, const std::vector<int>* queues) {
  const std::vector<cudaStream_t> streams = streamsOf(site, device, queues);
  cudaError_t status = cudaSuccess;
  lock.unlock();
  for (const cudaStream_t stream : streams)
    if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
  lock.lock();
  check(site, status, "waiting for a queue");
  freePending(device);
}

void waitOnQueue(const Where& place, const std::vector<int>* queues) {
  for (const cudaStream_t stream : streamsOf(place.site, *place.device, queues)) {
    if (stream == place.stream) continue;
    cudaEvent_t event = nullptr;
    check(place.site, cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "waiting for a queue");
    check(place.site, cudaEventRecord(event, stream), "waiting for a queue");
    check(place.site, cudaStreamWaitEvent(place.stream, event, 0), "waiting for a queue");
    cudaEventDestroy(event);
  }
}

void waitBefore(Lock& lock, const Where& place, const std::vector<int>* queues) {
  if (place.isSync())
    waitFor(lock, place.site, *place.device, queues);
  else
    waitOnQueue(place, queues);
}

void waitForHost(Lock& lock, const char* site, int async, int waitCount, const std::vector<int>& queues) {
  Device* const device = currentDevice(site);
  if (!device) return;
  if (waitCount >= 0) waitFor(lock, site, *device, waitCount == 0 ? nullptr : &queues);
  const std::vector<int> own{async};
  if (async != hone_acc_sync) waitFor(lock, site, *device, &own);
}

bool isIdle(const char* site, Device& device, int queue) {
  const auto it = device.streams.find(queue);
  if (it == device.streams.end()) return true;
  const cudaError_t status = cudaStreamQuery(it->second);
  if (status == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check(site, status, "asking a queue");
  return true;
}

void freeAfter(const Where& place, void* memory, const std::set<int>& queues) {
  Device& device = *place.device;
  freePending(device);
  PendingFree pending;
  pending.memory = memory;
  std::set<int> all = queues;
  if (!place.isSync()) all.insert(place.queue);
  for (const int queue : all) {
    if (isIdle(place.site, device, queue)) continue;
    cudaEvent_t event = nullptr;
    check(place.site, cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "freeing memory");
    check(place.site, cudaEventRecord(event, device.streams[queue]), "freeing memory");
    pending.after.push_back(event);
  }
  if (pending.after.empty())
    check(place.site, cudaFree(memory), "freeing memory");
  else
    device.pending.push_back(std::move(pending));
}

void freePending(Device& device) {
  std::vector<PendingFree> later;
  for (PendingFree& p : device.pending) {
    while (!p.after.empty() && cudaEventQuery(p.after.back()) == cudaSuccess) {
      cudaEventDestroy(p.after.back());
      p.after.pop_back();
    }
    if (p.after.empty())
      cudaFree(p.memory);
    else
      later.push_back(std::move(p));
  }
  if (!later.empty()) cudaGetLastError();  // "not ready" is no error
  device.pending = std::move(later);
}

}  // namespace hone::acc
