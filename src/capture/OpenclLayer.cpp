// Loaded into an OpenCL program by the ICD loader (OPENCL_LAYERS): records its launches in the file that
// HONE_CAPTURE names. Built by g++ where CL/cl_layer.h is; needs nothing else of hone than the Recorder.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <optional>

#include "capture/OpenclArguments.h"
#include "capture/Recorder.h"

namespace {

using namespace hone::capture;

cl_icd_dispatch next, mine;  // what the layer calls, and what calls the layer

// Memory of the device, under an address that the layer makes up.
struct Memory {
  uint64_t begin = 0, bytes = 0, offset = 0;  // of the buffer it is a part of
  bool isPart = false;
};

struct Timed {
  cl_event event;
  uint32_t number;
};

struct NDRange {
  cl_uint dimensions;
  const size_t *offset, *global, *local;
};

class Layer {
 public:
  static Layer& get() {
    static Layer* const only = new Layer;  // outlives whatever the program does at its end
    return *only;
  }

  void addBuffer(cl_mem buffer, uint64_t bytes);
  void addPart(cl_mem part, cl_mem of, uint64_t origin);
  void addSvm(void* memory, uint64_t bytes);
  void setArgument(cl_kernel kernel, cl_uint index, KernelArgument argument);
  void forget(cl_kernel kernel);
  void copyArguments(cl_kernel from, cl_kernel to);
  // The number under which the launch is counted; none where it is not recorded.
  std::optional<uint32_t> launch(cl_command_queue queue, cl_kernel kernel, const NDRange& range,
                                 cl_uint waitCount, const cl_event* waits);
  void started(cl_event event, uint32_t number);
  void collectTimes();
  bool hasUserEvents = false;

 private:
  bool isOpen();
  KernelState& stateOf(cl_kernel kernel);
  std::array<uint32_t, 3> blockOf(cl_kernel kernel, cl_device_id device, cl_command_queue queue,
                                  const NDRange& range);
  void takeArguments(RecordedLaunch& record, const KernelState& state) const;
  void readContents(cl_command_queue queue, const RecordedLaunch& record, uint32_t number, cl_uint waitCount,
                    const cl_event* waits);

  std::mutex mutex;
  Recorder recorder;
  bool isTried = false;
  uint64_t nextAddress = uint64_t{1} << 32;
  std::map<uint64_t, Memory> buffers;                  // by handle
  std::map<uint64_t, Memory> svm;                      // by address
  std::map<uint64_t, std::pair<cl_mem, void*>> owner;  // of a made-up address
  std::map<cl_kernel, KernelState> kernels;
  std::map<cl_command_queue, unsigned> queues;
  std::map<cl_device_id, int> devices;
  std::deque<Timed> running;
};

// Opened by the first launch, so that a program that launches nothing leaves no file.
bool Layer::isOpen() {
  if (isTried) return recorder.isOpen();
  isTried = true;
  const char* path = std::getenv("HONE_CAPTURE");
  if (!path || !*path) return false;
  if (!recorder.open(path, "opencl")) std::fprintf(stderr, "hone capture: cannot write %s\n", path);
  std::atexit([] { get().recorder.close(); });
  return recorder.isOpen();
}

void Layer::addBuffer(cl_mem buffer, uint64_t bytes) {
  const std::lock_guard lock(mutex);
  buffers[reinterpret_cast<uint64_t>(buffer)] = {nextAddress, bytes};
  owner[nextAddress] = {buffer, nullptr};
  nextAddress += (bytes + 4095) / 4096 * 4096 + 4096;
}

void Layer::addPart(cl_mem part, cl_mem of, uint64_t origin) {
  const std::lock_guard lock(mutex);
  const auto whole = buffers.find(reinterpret_cast<uint64_t>(of));
  if (whole == buffers.end()) return;
  buffers[reinterpret_cast<uint64_t>(part)] = {whole->second.begin, whole->second.bytes, origin, true};
}

void Layer::addSvm(void* memory, uint64_t bytes) {
  const std::lock_guard lock(mutex);
  const auto address = reinterpret_cast<uint64_t>(memory);
  svm[address] = {address, bytes};
  owner[address] = {nullptr, memory};
}

KernelState& Layer::stateOf(cl_kernel kernel) {
  KernelState& state = kernels[kernel];
  if (state.name.empty()) state = newKernelState(next, kernel);
  return state;
}

void Layer::setArgument(cl_kernel kernel, cl_uint index, KernelArgument argument) {
  const std::lock_guard lock(mutex);
  KernelState& state = stateOf(kernel);
  if (index < state.arguments.size()) state.arguments[index] = std::move(argument);
}

void Layer::forget(cl_kernel kernel) {
  const std::lock_guard lock(mutex);
  kernels.erase(kernel);
}

void Layer::copyArguments(cl_kernel from, cl_kernel to) {
  const std::lock_guard lock(mutex);
  KernelState copy = stateOf(from);
  kernels[to] = std::move(copy);
}

// Where the program leaves it to the driver: what the kernel's text requires, what the driver would take, or
// a likely one.
std::array<uint32_t, 3> Layer::blockOf(cl_kernel kernel, cl_device_id device, cl_command_queue queue,
                                       const NDRange& range) {
  std::array<uint32_t, 3> out{1, 1, 1};
  const auto take = [&](const size_t* sizes) {
    for (cl_uint i = 0; i < range.dimensions; ++i)
      out[i] = static_cast<uint32_t>(std::max<size_t>(1, sizes[i]));
    return out;
  };
  if (range.local) return take(range.local);
  size_t sizes[3] = {};
  if (next.clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes,
                                    nullptr) == CL_SUCCESS &&
      sizes[0])
    return take(sizes);
  cl_platform_id platform = nullptr;
  next.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, static_cast<void*>(&platform), nullptr);
  using Suggest =
      cl_int(CL_API_CALL*)(cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*, size_t*);
  const auto suggest = reinterpret_cast<Suggest>(
      next.clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR"));
  if (suggest && suggest(queue, kernel, range.dimensions, range.offset, range.global, sizes) == CL_SUCCESS &&
      sizes[0])
    return take(sizes);
  recorder.note(
      "the program leaves sizes of work-groups to the driver, which does not tell them: likely ones are "
      "recorded");
  while (out[0] < 256 && range.global[0] % (out[0] * 2) == 0) out[0] *= 2;
  return out;
}

void Layer::takeArguments(RecordedLaunch& record, const KernelState& state) const {
  for (const KernelArgument& argument : state.arguments) {
    const size_t size = argument.value.size();
    size_t alignment = 1;
    while (alignment < 8 && alignment < size) alignment *= 2;
    const size_t at = (record.bytes.size() + alignment - 1) / alignment * alignment;
    record.bytes.resize(at + size);
    record.parameters.emplace_back(static_cast<uint32_t>(at), static_cast<uint32_t>(size));
    if (size == 0) continue;
    std::memcpy(record.bytes.data() + at, argument.value.data(), size);
    if (size != 8 || argument.isLocal) continue;
    uint64_t word = 0;
    std::memcpy(&word, argument.value.data(), sizeof word);
    const Memory* memory = nullptr;
    uint64_t offset = 0;
    if (argument.isSvm) {
      auto after = svm.upper_bound(word);
      if (after != svm.begin()) {
        memory = &std::prev(after)->second;
        offset = word - memory->begin;
      }
    } else if (const auto found = buffers.find(word); found != buffers.end()) {
      memory = &found->second;
      offset = memory->offset;
    }
    if (!memory || offset > memory->bytes) continue;
    const uint64_t address = memory->begin + offset;
    std::memcpy(record.bytes.data() + at, &address, sizeof address);
    record.pointers.push_back(
        {static_cast<uint32_t>(at), memory->begin, memory->bytes, offset, memory->isPart, argument.isSvm});
  }
}

void Layer::readContents(cl_command_queue queue, const RecordedLaunch& record, uint32_t number,
                         cl_uint waitCount, const cl_event* waits) {
  if (!recorder.hasContents()) return;
  // To wait for what this very thread is to signal later would be for ever.
  if (hasUserEvents)
    return recorder.note("contents of arrays are not read: the program has events of its own");
  const std::vector<ContentsPiece> pieces = recorder.contentsOf(record, number);
  if (pieces.empty()) return;
  if (waitCount) next.clWaitForEvents(waitCount, waits);
  next.clFinish(queue);
  std::vector<uint8_t> data;
  for (const ContentsPiece& piece : pieces) {
    data.resize(piece.bytes);
    const auto [buffer, memory] = owner[piece.allocation];
    const cl_int status =
        buffer ? next.clEnqueueReadBuffer(queue, buffer, CL_TRUE, piece.from, piece.bytes, data.data(), 0,
                                          nullptr, nullptr)
               : next.clEnqueueSVMMemcpy(queue, CL_TRUE, data.data(), static_cast<char*>(memory) + piece.from,
                                         piece.bytes, 0, nullptr, nullptr);
    if (status != CL_SUCCESS) return recorder.note("contents of some arrays could not be read");
    recorder.addContents(number, piece, data.data());
  }
}

std::optional<uint32_t> Layer::launch(cl_command_queue queue, cl_kernel kernel, const NDRange& range,
                                      cl_uint waitCount, const cl_event* waits) {
  const std::lock_guard lock(mutex);
  if (range.dimensions < 1 || range.dimensions > 3 || !range.global || !isOpen()) return std::nullopt;
  const KernelState& state = stateOf(kernel);
  cl_device_id device = nullptr;
  next.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, static_cast<void*>(&device), nullptr);
  if (devices.empty()) {
    char name[256] = {};
    next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
    recorder.setDevice(name);
  }
  RecordedLaunch record;
  record.kernel = state.name;
  record.device = devices.emplace(device, static_cast<int>(devices.size())).first->second;
  record.stream = queues.emplace(queue, static_cast<unsigned>(queues.size())).first->second;
  record.block = blockOf(kernel, device, queue, range);
  for (cl_uint i = 0; i < range.dimensions; ++i) {
    if (range.global[i] == 0) return std::nullopt;
    record.grid[i] = static_cast<uint32_t>((range.global[i] + record.block[i] - 1) / record.block[i]);
    if (range.global[i] % record.block[i])
      recorder.note("some launches end in a work-group that is not full: it counts as a full one");
    if (range.offset && range.offset[i])
      recorder.note("some launches begin at an offset (get_global_offset), which is not recorded");
  }
  takeArguments(record, state);
  const uint32_t number = recorder.add(record);
  readContents(queue, record, number, waitCount, waits);
  return number;
}

void Layer::started(cl_event event, uint32_t number) {
  {
    const std::lock_guard lock(mutex);
    running.push_back({event, number});
  }
  collectTimes();
}

// Of those that are done, in the order they were enqueued.
void Layer::collectTimes() {
  const std::lock_guard lock(mutex);
  for (; !running.empty(); running.pop_front()) {
    const auto [event, number] = running.front();
    cl_int status = CL_COMPLETE;
    next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (status > CL_COMPLETE) return;
    cl_ulong begin = 0, end = 0;
    if (status == CL_COMPLETE &&
        next.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr) ==
            CL_SUCCESS &&
        next.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr) ==
            CL_SUCCESS &&
        end > begin)
      recorder.addTime(number, static_cast<double>(end - begin) * 1e-3);
    next.clReleaseEvent(event);
  }
}

cl_mem CL_API_CALL createBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void* host,
                                cl_int* status) {
  const cl_mem out = next.clCreateBuffer(context, flags, bytes, host, status);
  if (out) Layer::get().addBuffer(out, bytes);
  return out;
}

cl_mem CL_API_CALL createBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                              cl_mem_flags flags, size_t bytes, void* host, cl_int* status) {
  const cl_mem out = next.clCreateBufferWithProperties(context, properties, flags, bytes, host, status);
  if (out) Layer::get().addBuffer(out, bytes);
  return out;
}

cl_mem CL_API_CALL createSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                   const void* about, cl_int* status) {
  const cl_mem out = next.clCreateSubBuffer(buffer, flags, type, about, status);
  if (out && type == CL_BUFFER_CREATE_TYPE_REGION)
    Layer::get().addPart(out, buffer, static_cast<const cl_buffer_region*>(about)->origin);
  return out;
}

void* CL_API_CALL svmAlloc(cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment) {
  void* out = next.clSVMAlloc(context, flags, bytes, alignment);
  if (out) Layer::get().addSvm(out, bytes);
  return out;
}

cl_kernel CL_API_CALL createKernel(cl_program program, const char* name, cl_int* status) {
  const cl_kernel out = next.clCreateKernel(program, name, status);
  if (out) Layer::get().forget(out);  // one of before may have had this handle
  return out;
}

cl_int CL_API_CALL createKernels(cl_program program, cl_uint count, cl_kernel* kernels, cl_uint* made) {
  cl_uint all = 0;
  const cl_int status = next.clCreateKernelsInProgram(program, count, kernels, &all);
  if (status == CL_SUCCESS && kernels)
    for (cl_uint i = 0; i < std::min(count, all); ++i) Layer::get().forget(kernels[i]);
  if (made) *made = all;
  return status;
}

cl_kernel CL_API_CALL cloneKernel(cl_kernel kernel, cl_int* status) {
  const cl_kernel out = next.clCloneKernel(kernel, status);
  if (out) Layer::get().copyArguments(kernel, out);
  return out;
}

cl_int CL_API_CALL setKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void* value) {
  const cl_int status = next.clSetKernelArg(kernel, index, bytes, value);
  if (status == CL_SUCCESS) Layer::get().setArgument(kernel, index, argumentOf(bytes, value));
  return status;
}

cl_int CL_API_CALL setKernelArgSvm(cl_kernel kernel, cl_uint index, const void* value) {
  const cl_int status = next.clSetKernelArgSVMPointer(kernel, index, value);
  if (status != CL_SUCCESS) return status;
  KernelArgument argument;
  argument.isSet = argument.isSvm = true;
  argument.value.resize(sizeof value);
  std::memcpy(argument.value.data(), &value, sizeof value);
  Layer::get().setArgument(kernel, index, std::move(argument));
  return status;
}

// With times, for all that is enqueued.
cl_command_queue CL_API_CALL createQueue(cl_context context, cl_device_id device,
                                         cl_command_queue_properties properties, cl_int* status) {
  const cl_command_queue out =
      next.clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, status);
  return out ? out : next.clCreateCommandQueue(context, device, properties, status);
}

cl_command_queue CL_API_CALL createQueueWithProperties(cl_context context, cl_device_id device,
                                                       const cl_queue_properties* properties,
                                                       cl_int* status) {
  std::vector<cl_queue_properties> list;
  bool isSet = false;
  for (const cl_queue_properties* p = properties; p && *p; p += 2) {
    list.insert(list.end(), {p[0], p[0] == CL_QUEUE_PROPERTIES ? p[1] | CL_QUEUE_PROFILING_ENABLE : p[1]});
    isSet |= p[0] == CL_QUEUE_PROPERTIES;
  }
  if (!isSet) list.insert(list.end(), {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE});
  list.push_back(0);
  const cl_command_queue out = next.clCreateCommandQueueWithProperties(context, device, list.data(), status);
  return out ? out : next.clCreateCommandQueueWithProperties(context, device, properties, status);
}

cl_int CL_API_CALL enqueueKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t* offset, const size_t* global, const size_t* local,
                                 cl_uint waitCount, const cl_event* waits, cl_event* event) {
  const auto number =
      Layer::get().launch(queue, kernel, {dimensions, offset, global, local}, waitCount, waits);
  cl_event own = nullptr;
  const cl_int status = next.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
                                                    waitCount, waits, event ? event : &own);
  if (status != CL_SUCCESS || !number) {
    if (own) next.clReleaseEvent(own);
    return status;
  }
  if (event) next.clRetainEvent(*event);
  Layer::get().started(event ? *event : own, *number);
  return status;
}

cl_int CL_API_CALL enqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint waitCount,
                               const cl_event* waits, cl_event* event) {
  const size_t one = 1;
  return enqueueKernel(queue, kernel, 1, nullptr, &one, &one, waitCount, waits, event);
}

cl_int CL_API_CALL finish(cl_command_queue queue) {
  const cl_int status = next.clFinish(queue);
  Layer::get().collectTimes();
  return status;
}

cl_int CL_API_CALL waitForEvents(cl_uint count, const cl_event* events) {
  const cl_int status = next.clWaitForEvents(count, events);
  Layer::get().collectTimes();
  return status;
}

cl_int CL_API_CALL readBuffer(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking, size_t offset,
                              size_t bytes, void* to, cl_uint waitCount, const cl_event* waits,
                              cl_event* event) {
  const cl_int status =
      next.clEnqueueReadBuffer(queue, buffer, isBlocking, offset, bytes, to, waitCount, waits, event);
  if (isBlocking) Layer::get().collectTimes();
  return status;
}

cl_event CL_API_CALL createUserEvent(cl_context context, cl_int* status) {
  Layer::get().hasUserEvents = true;
  return next.clCreateUserEvent(context, status);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL
clGetLayerInfo(cl_layer_info what, size_t room, void* value, size_t* needed) {
  static const char name[] = "hone capture";
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const void* from = what == CL_LAYER_NAME ? static_cast<const void*>(name) : &version;
  const size_t bytes = what == CL_LAYER_NAME ? sizeof name : sizeof version;
  if ((what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION) || (value && room < bytes))
    return CL_INVALID_VALUE;
  if (value) std::memcpy(value, from, bytes);
  if (needed) *needed = bytes;
  return CL_SUCCESS;
}

extern "C" __attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint count, const cl_icd_dispatch* target, cl_uint* made, const cl_icd_dispatch** layer) {
  if (!target || !made || !layer) return CL_INVALID_VALUE;
  // A loader of another age knows fewer functions, or more.
  constexpr size_t known = sizeof(cl_icd_dispatch) / sizeof(void*);
  std::memcpy(static_cast<void*>(&next), target, std::min<size_t>(count, known) * sizeof(void*));
  mine = next;
  const auto replace = [](auto& entry, auto* with) {
    if (entry) entry = with;
  };
  replace(mine.clCreateBuffer, createBuffer);
  replace(mine.clCreateBufferWithProperties, createBufferWithProperties);
  replace(mine.clCreateSubBuffer, createSubBuffer);
  replace(mine.clSVMAlloc, svmAlloc);
  replace(mine.clCreateKernel, createKernel);
  replace(mine.clCreateKernelsInProgram, createKernels);
  replace(mine.clCloneKernel, cloneKernel);
  replace(mine.clSetKernelArg, setKernelArg);
  replace(mine.clSetKernelArgSVMPointer, setKernelArgSvm);
  replace(mine.clCreateCommandQueue, createQueue);
  replace(mine.clCreateCommandQueueWithProperties, createQueueWithProperties);
  replace(mine.clEnqueueNDRangeKernel, enqueueKernel);
  replace(mine.clEnqueueTask, enqueueTask);
  replace(mine.clFinish, finish);
  replace(mine.clWaitForEvents, waitForEvents);
  replace(mine.clEnqueueReadBuffer, readBuffer);
  replace(mine.clCreateUserEvent, createUserEvent);
  *layer = &mine;
  *made = static_cast<cl_uint>(std::min<size_t>(count, known));
  return CL_SUCCESS;
}
