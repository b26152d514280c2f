// Streams and events: work is done in the order it is given, so every stream is up to date at once; time is
// the device's own.
#include <cstring>
#include <vector>

#include "Runtime.h"

using namespace hone::cuda;

namespace {

cudaError_t waited() {
  Runtime& r = Runtime::get();
  std::lock_guard lock(r.mutex);
  r.synchronize();
  return r.sticky ? result(r.sticky) : cudaSuccess;
}

}  // namespace

cudaError_t cudaDeviceSynchronize() { return waited(); }
cudaError_t cudaThreadSynchronize() { return waited(); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return waited(); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return waited(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return waited(); }
cudaError_t cudaEventQuery(cudaEvent_t e) { return e->time < 0 ? cudaSuccess : waited(); }

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned flags, int priority) {
  *s = new CUstream_st{flags, priority, nullptr, ++Runtime::get().streams};
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned flags) {
  return cudaStreamCreateWithPriority(s, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* s) { return cudaStreamCreateWithPriority(s, 0, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  if (s <= cudaStreamPerThread) return cudaSuccess;
  if (s->capture) std::erase(s->capture->joined, s);
  delete s;
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t s, int* priority) {
  *priority = s > cudaStreamPerThread ? s->priority : 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned* flags) {
  *flags = s > cudaStreamPerThread ? s->flags : 0;
  return cudaSuccess;
}
// What waits for a stream that is captured is captured with it.
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
  if (s <= cudaStreamPerThread || s->capture || !e) return cudaSuccess;
  for (CUgraph_st* capture : Runtime::get().captures)
    if (capture == e->capture) {
      s->capture = capture;
      capture->joined.push_back(s);
    }
  return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t fn, void* data, unsigned) {
  Runtime::get().synchronize();
  fn(s, cudaSuccess, data);
  return cudaSuccess;
}
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue*) {
  return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned flags) {
  *e = new CUevent_st{-1, flags, nullptr};
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* e) { return cudaEventCreateWithFlags(e, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  delete e;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  if (!e) return result(cudaErrorInvalidResourceHandle);
  e->capture = s > cudaStreamPerThread ? s->capture : nullptr;
  e->time = Runtime::get().clock;
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned) {
  return cudaEventRecord(e, s);
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  if (!from || !to || from->time < 0 || to->time < 0) return result(cudaErrorInvalidResourceHandle);
  *ms = float(to->time - from->time);
  return cudaSuccess;
}

cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
