// Loaded into an OpenCL program, as a layer (OPENCL_LAYERS) or before its libraries (LD_PRELOAD): where it
// enqueues a kernel of a program for whose text the folder HONE_CL has results, what hone made of it is
// enqueued. The program keeps its own objects: a second program is built beside its own from the new text.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_layer.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "capture/OpenclArguments.h"
#include "capture/OpenclEntries.h"

namespace {

using namespace hone::capture;

cl_icd_dispatch next, mine;  // what is called, and what calls the layer
bool isLayer = false;

// While functions of an entry run, their calls go straight on.
thread_local bool isInside = false;

struct Program {
  ReplaceEntry* entry = nullptr;
  cl_context context = nullptr;
  cl_program made = nullptr;                 // built from the new text
  std::map<std::string, cl_kernel> kernels;  // of `made`, each made once
  std::set<std::string> told;
};

class Replacer {
 public:
  static Replacer& get() {
    static Replacer* const only = new Replacer;  // outlives whatever the program does at its end
    return *only;
  }

  void created(cl_program program, cl_context context, const std::string& text);
  void created(cl_program program);  // of something else than text
  void built(cl_program program, cl_uint count, const cl_device_id* devices, const char* options);
  void forget(cl_kernel kernel);
  void copy(cl_kernel from, cl_kernel to);
  void set(cl_kernel kernel, cl_uint index, KernelArgument argument);
  // None: the kernel is to be enqueued as the program asks.
  std::optional<cl_int> enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t* offset,
                                const size_t* global, const size_t* local, cl_uint waits,
                                const cl_event* waitList, cl_event* event);
  // For functions of entries: one object for each kernel, which stays.
  cl_kernel kernelOf(cl_program made, const char* name, cl_int* status);
  bool isKept(cl_kernel kernel) const { return kept.contains(kernel); }

 private:
  Replacer() {
    const char* folder = std::getenv("HONE_CL");
    const char* off = std::getenv("HONE_OFF");
    if (folder && *folder && !(off && *off > '0')) entries = readEntries(folder);
  }
  KernelState& stateOf(cl_kernel kernel);

  // One thread at a time, since each kernel of hone's has one object.
  std::recursive_mutex mutex;
  std::vector<ReplaceEntry> entries;
  std::map<cl_program, Program> programs;
  std::map<cl_kernel, KernelState> states;
  std::set<cl_kernel> kept;
};

std::string withoutEnd(std::string text) {
  while (!text.empty() && (text.back() == 0 || std::isspace(static_cast<unsigned char>(text.back()))))
    text.pop_back();
  return text;
}

void Replacer::created(cl_program program) {
  const std::lock_guard lock(mutex);
  programs.erase(program);  // one of before had this handle
}

void Replacer::created(cl_program program, cl_context context, const std::string& text) {
  const std::lock_guard lock(mutex);
  programs.erase(program);
  for (ReplaceEntry& entry : entries)
    if (withoutEnd(entry.original) == withoutEnd(text)) {
      Program& one = programs[program];
      one.entry = &entry;
      one.context = context;
      return;
    }
}

void Replacer::built(cl_program program, cl_uint count, const cl_device_id* devices, const char* options) {
  const std::lock_guard lock(mutex);
  const auto found = programs.find(program);
  if (found == programs.end()) return;
  Program& one = found->second;
  const std::string given = options ? options : "";
  one.made = nullptr;
  one.kernels.clear();
  if (macroOptions(given) != one.entry->options)
    return tellReplacement(one.entry->folder + ": made for other build options (" +
                               (one.entry->options.empty() ? "no -D" : "see its file options") +
                               ") than the program has (" + given + "); its own kernels run",
                           true);
  if (!one.entry->functions()) return;
  const char* text = one.entry->rewritten.c_str();
  const size_t length = one.entry->rewritten.size();
  cl_int status = CL_SUCCESS;
  const cl_program made = next.clCreateProgramWithSource(one.context, 1, &text, &length, &status);
  if (made) status = next.clBuildProgram(made, count, devices, options, nullptr, nullptr);
  if (!made || status != CL_SUCCESS) {
    if (made) next.clReleaseProgram(made);
    return tellReplacement(one.entry->folder + ": program.cl is not built by this driver (" +
                               std::to_string(status) + "); the program's own kernels run",
                           true);
  }
  one.made = made;
}

KernelState& Replacer::stateOf(cl_kernel kernel) {
  KernelState& state = states[kernel];
  if (state.name.empty()) state = newKernelState(next, kernel);
  return state;
}

void Replacer::forget(cl_kernel kernel) {
  const std::lock_guard lock(mutex);
  states.erase(kernel);
}

void Replacer::copy(cl_kernel from, cl_kernel to) {
  const std::lock_guard lock(mutex);
  KernelState state = stateOf(from);
  states[to] = std::move(state);
}

void Replacer::set(cl_kernel kernel, cl_uint index, KernelArgument argument) {
  const std::lock_guard lock(mutex);
  if (entries.empty()) return;
  KernelState& state = stateOf(kernel);
  if (index < state.arguments.size()) state.arguments[index] = std::move(argument);
}

std::optional<cl_int> Replacer::enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                        const size_t* offset, const size_t* global, const size_t* local,
                                        cl_uint waits, const cl_event* waitList, cl_event* event) {
  const std::lock_guard lock(mutex);
  if (programs.empty()) return std::nullopt;
  cl_program program = nullptr;
  next.clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, static_cast<void*>(&program), nullptr);
  const auto found = programs.find(program);
  if (found == programs.end() || !found->second.made) return std::nullopt;
  Program& one = found->second;
  const KernelState& state = stateOf(kernel);
  const HoneReplacement* with = one.entry->of(state.name);
  if (!with || with->parameters != state.arguments.size()) return std::nullopt;
  std::vector<const void*> values;
  std::vector<size_t> bytes;
  for (size_t i = 0; i < state.arguments.size(); ++i) {
    const KernelArgument& argument = state.arguments[i];
    if (!argument.isSet || argument.isSvm) return std::nullopt;
    uint64_t size = argument.value.size();
    if (argument.isLocal) std::memcpy(&size, argument.value.data(), sizeof size);
    // A buffer that is none has no value either.
    if (with->bytes[i] ? argument.isLocal || size != with->bytes[i] : size == 0) return std::nullopt;
    values.push_back(argument.isLocal ? nullptr : argument.value.data());
    bytes.push_back(size);
  }
  isInside = true;
  const cl_int status = with->enqueue(queue, one.made, dims, offset, global, local, waits, waitList, event,
                                      values.data(), bytes.data());
  isInside = false;
  if (one.told.insert(state.name).second)
    tellReplacement(one.entry->folder + ": " + state.name + " is enqueued as hone made it", false);
  return status;
}

cl_kernel Replacer::kernelOf(cl_program made, const char* name, cl_int* status) {
  const std::lock_guard lock(mutex);
  for (auto& [program, one] : programs) {
    if (one.made != made) continue;
    cl_kernel& kernel = one.kernels[name];
    if (!kernel) kernel = next.clCreateKernel(made, name, status);
    if (!kernel) return nullptr;
    kept.insert(kernel);
    if (status) *status = CL_SUCCESS;
    return kernel;
  }
  return next.clCreateKernel(made, name, status);
}

// ---- what programs call

cl_program CL_API_CALL onCreateProgram(cl_context context, cl_uint count, const char** texts,
                                       const size_t* lengths, cl_int* status) {
  const cl_program out = next.clCreateProgramWithSource(context, count, texts, lengths, status);
  if (!out || isInside) return out;
  std::string text;
  for (cl_uint i = 0; i < count; ++i)
    text += lengths && lengths[i] ? std::string(texts[i], lengths[i]) : std::string(texts[i]);
  Replacer::get().created(out, context, text);
  return out;
}

cl_program CL_API_CALL onCreateProgramOfBinaries(cl_context context, cl_uint count,
                                                 const cl_device_id* devices, const size_t* lengths,
                                                 const unsigned char** binaries, cl_int* states,
                                                 cl_int* status) {
  const cl_program out =
      next.clCreateProgramWithBinary(context, count, devices, lengths, binaries, states, status);
  if (out) Replacer::get().created(out);
  return out;
}

using BuildNotify = void(CL_CALLBACK*)(cl_program, void*);

cl_int CL_API_CALL onBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                                  const char* options, BuildNotify notify, void* data) {
  const cl_int status = next.clBuildProgram(program, count, devices, options, notify, data);
  if (status == CL_SUCCESS && !isInside) Replacer::get().built(program, count, devices, options);
  return status;
}

cl_kernel CL_API_CALL onCreateKernel(cl_program program, const char* name, cl_int* status) {
  if (isInside) return Replacer::get().kernelOf(program, name, status);
  const cl_kernel out = next.clCreateKernel(program, name, status);
  if (out) Replacer::get().forget(out);
  return out;
}

cl_int CL_API_CALL onCreateKernels(cl_program program, cl_uint count, cl_kernel* kernels, cl_uint* made) {
  cl_uint all = 0;
  const cl_int status = next.clCreateKernelsInProgram(program, count, kernels, &all);
  if (status == CL_SUCCESS && kernels)
    for (cl_uint i = 0; i < std::min(count, all); ++i) Replacer::get().forget(kernels[i]);
  if (made) *made = all;
  return status;
}

cl_kernel CL_API_CALL onCloneKernel(cl_kernel kernel, cl_int* status) {
  const cl_kernel out = next.clCloneKernel(kernel, status);
  if (out) Replacer::get().copy(kernel, out);
  return out;
}

cl_int CL_API_CALL onReleaseKernel(cl_kernel kernel) {
  if (isInside && Replacer::get().isKept(kernel)) return CL_SUCCESS;
  return next.clReleaseKernel(kernel);
}

cl_int CL_API_CALL onSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void* value) {
  const cl_int status = next.clSetKernelArg(kernel, index, bytes, value);
  if (status == CL_SUCCESS && !isInside) Replacer::get().set(kernel, index, argumentOf(bytes, value));
  return status;
}

cl_int CL_API_CALL onSetKernelArgSvm(cl_kernel kernel, cl_uint index, const void* value) {
  const cl_int status = next.clSetKernelArgSVMPointer(kernel, index, value);
  KernelArgument argument;
  argument.isSet = argument.isSvm = true;
  if (status == CL_SUCCESS) Replacer::get().set(kernel, index, std::move(argument));
  return status;
}

cl_int CL_API_CALL onEnqueueKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                   const size_t* offset, const size_t* global, const size_t* local,
                                   cl_uint waits, const cl_event* waitList, cl_event* event) {
  if (!isInside)
    if (const auto status =
            Replacer::get().enqueue(queue, kernel, dims, offset, global, local, waits, waitList, event))
      return *status;
  return next.clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local, waits, waitList, event);
}

cl_int CL_API_CALL onEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint waits,
                                 const cl_event* waitList, cl_event* event) {
  const size_t one = 1;
  return onEnqueueKernel(queue, kernel, 1, nullptr, &one, &one, waits, waitList, event);
}

// Of a library that was loaded before the program's own.
void findNext() {
  if (isLayer) return;
  static std::once_flag once;
  std::call_once(once, [] {
    const auto find = [](auto& entry, const char* name) {
      entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(dlsym(RTLD_NEXT, name));
    };
    find(next.clCreateProgramWithSource, "clCreateProgramWithSource");
    find(next.clCreateProgramWithBinary, "clCreateProgramWithBinary");
    find(next.clBuildProgram, "clBuildProgram");
    find(next.clReleaseProgram, "clReleaseProgram");
    find(next.clCreateKernel, "clCreateKernel");
    find(next.clCreateKernelsInProgram, "clCreateKernelsInProgram");
    find(next.clCloneKernel, "clCloneKernel");
    find(next.clReleaseKernel, "clReleaseKernel");
    find(next.clGetKernelInfo, "clGetKernelInfo");
    find(next.clSetKernelArg, "clSetKernelArg");
    find(next.clSetKernelArgSVMPointer, "clSetKernelArgSVMPointer");
    find(next.clEnqueueNDRangeKernel, "clEnqueueNDRangeKernel");
  });
}

}  // namespace

#define HONE_EXPORTED extern "C" __attribute__((visibility("default"))) CL_API_ENTRY

HONE_EXPORTED cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t room, void* value,
                                                size_t* needed) {
  static const char name[] = "hone";
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const void* from = what == CL_LAYER_NAME ? static_cast<const void*>(name) : &version;
  const size_t bytes = what == CL_LAYER_NAME ? sizeof name : sizeof version;
  if ((what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION) || (value && room < bytes))
    return CL_INVALID_VALUE;
  if (value) std::memcpy(value, from, bytes);
  if (needed) *needed = bytes;
  return CL_SUCCESS;
}

HONE_EXPORTED cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch* target, cl_uint* made,
                                             const cl_icd_dispatch** layer) {
  if (!target || !made || !layer) return CL_INVALID_VALUE;
  // A loader of another age knows fewer functions, or more.
  constexpr size_t known = sizeof(cl_icd_dispatch) / sizeof(void*);
  std::memcpy(static_cast<void*>(&next), target, std::min<size_t>(count, known) * sizeof(void*));
  mine = next;
  isLayer = true;
  const auto replace = [](auto& entry, auto* with) {
    if (entry) entry = with;
  };
  replace(mine.clCreateProgramWithSource, onCreateProgram);
  replace(mine.clCreateProgramWithBinary, onCreateProgramOfBinaries);
  replace(mine.clBuildProgram, onBuildProgram);
  replace(mine.clCreateKernel, onCreateKernel);
  replace(mine.clCreateKernelsInProgram, onCreateKernels);
  replace(mine.clCloneKernel, onCloneKernel);
  replace(mine.clReleaseKernel, onReleaseKernel);
  replace(mine.clSetKernelArg, onSetKernelArg);
  replace(mine.clSetKernelArgSVMPointer, onSetKernelArgSvm);
  replace(mine.clEnqueueNDRangeKernel, onEnqueueKernel);
  replace(mine.clEnqueueTask, onEnqueueTask);
  *layer = &mine;
  *made = static_cast<cl_uint>(std::min<size_t>(count, known));
  return CL_SUCCESS;
}

// Where the library is loaded before those of the program. These are not called in a layer: the loader has
// its functions by clInitLayer.
HONE_EXPORTED cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                               const char** texts, const size_t* lengths,
                                                               cl_int* status) {
  findNext();
  return onCreateProgram(context, count, texts, lengths, status);
}

HONE_EXPORTED cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint count,
                                                               const cl_device_id* devices,
                                                               const size_t* lengths,
                                                               const unsigned char** binaries, cl_int* states,
                                                               cl_int* status) {
  findNext();
  return onCreateProgramOfBinaries(context, count, devices, lengths, binaries, states, status);
}

HONE_EXPORTED cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count,
                                                const cl_device_id* devices, const char* options,
                                                BuildNotify notify, void* data) {
  findNext();
  return onBuildProgram(program, count, devices, options, notify, data);
}

HONE_EXPORTED cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* name, cl_int* status) {
  findNext();
  return onCreateKernel(program, name, status);
}

HONE_EXPORTED cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint count,
                                                          cl_kernel* kernels, cl_uint* made) {
  findNext();
  return onCreateKernels(program, count, kernels, made);
}

HONE_EXPORTED cl_kernel CL_API_CALL clCloneKernel(cl_kernel kernel, cl_int* status) {
  findNext();
  return onCloneKernel(kernel, status);
}

HONE_EXPORTED cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  findNext();
  return onReleaseKernel(kernel);
}

HONE_EXPORTED cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes,
                                                const void* value) {
  findNext();
  return onSetKernelArg(kernel, index, bytes, value);
}

HONE_EXPORTED cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index,
                                                          const void* value) {
  findNext();
  return onSetKernelArgSvm(kernel, index, value);
}

HONE_EXPORTED cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                        cl_uint dims, const size_t* offset,
                                                        const size_t* global, const size_t* local,
                                                        cl_uint waits, const cl_event* waitList,
                                                        cl_event* event) {
  findNext();
  return onEnqueueKernel(queue, kernel, dims, offset, global, local, waits, waitList, event);
}

HONE_EXPORTED cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint waits,
                                               const cl_event* waitList, cl_event* event) {
  findNext();
  return onEnqueueTask(queue, kernel, waits, waitList, event);
}
