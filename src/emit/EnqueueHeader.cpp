// The header around the functions of EmitEnqueue.cpp, with what they share.
#include "emit/EmitEnqueue.h"

namespace hone::emit {

namespace {

const char* const shared = R"(#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif

// What the functions below share; other headers that hone wrote have it too.
#ifndef HONE_OPENCL_CALL
#define HONE_OPENCL_CALL

// A launch as the host asks for it, and how far it has come.
typedef struct hone_call {
  cl_command_queue queue;
  cl_program program;
  cl_uint dims, waits;
  const size_t *given_offset, *given_global, *given_local;
  const cl_event* wait_list;
  int fits;  // three numbers per axis that hone can reckon with; never where the originals are asked for
  cl_ulong offset[3], global[3], local[3], groups[3];
  cl_int status;  // the first error
  cl_uint steps;  // kernels enqueued so far
  cl_event last;  // of the last of them
  cl_mem temporaries[8];
} hone_call;

// Compiled with HONE_OFF, or with HONE_OFF=1 in the environment, originals alone are enqueued.
static inline int hone_enabled(void) {
#ifdef HONE_OFF
  return 0;
#else
  static int answer = -1;  // read once
  if (answer < 0) answer = !getenv("HONE_OFF") || *getenv("HONE_OFF") <= '0';
  return answer;
#endif
}

static inline hone_call hone_begin(cl_command_queue queue, cl_program program, cl_uint dims,
                                   const size_t* offset, const size_t* global, const size_t* local,
                                   cl_uint waits, const cl_event* wait_list) {
  hone_call call;
  memset(&call, 0, sizeof(call));
  call.queue = queue;
  call.program = program;
  call.dims = dims;
  call.given_offset = offset;
  call.given_global = global;
  call.given_local = local;
  call.waits = waits;
  call.wait_list = wait_list;
  call.fits = hone_enabled() && dims >= 1 && dims <= 3 && global != NULL;
  for (cl_uint axis = 0; axis < 3; ++axis) {
    const int given = call.fits && axis < dims;
    call.offset[axis] = given && offset ? offset[axis] : 0;
    call.global[axis] = given ? global[axis] : 1;
    call.local[axis] = given && local ? local[axis] : 1;  // without one, any will do
    if (call.local[axis] == 0 || call.global[axis] == 0 || call.global[axis] % call.local[axis] != 0 ||
        call.global[axis] > INT32_MAX || call.offset[axis] > INT32_MAX)
      call.fits = 0;
    else
      call.groups[axis] = call.global[axis] / call.local[axis];
  }
  return call;
}

static inline cl_kernel hone_kernel(hone_call* call, const char* name) {
  return call->status == CL_SUCCESS ? clCreateKernel(call->program, name, &call->status) : NULL;
}

static inline void hone_arg(hone_call* call, cl_kernel kernel, cl_uint index, size_t bytes, const void* value) {
  if (call->status == CL_SUCCESS) call->status = clSetKernelArg(kernel, index, bytes, value);
}

// Memory for as long as the kernels need it.
static inline cl_mem hone_buffer(hone_call* call, size_t bytes) {
  cl_context context = NULL;
  cl_uint at = 0;
  while (at < 8 && call->temporaries[at]) ++at;
  if (at == 8) call->status = CL_OUT_OF_HOST_MEMORY;
  if (call->status == CL_SUCCESS)
    call->status = clGetCommandQueueInfo(call->queue, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL);
  if (call->status != CL_SUCCESS) return NULL;
  return call->temporaries[at] =
             clCreateBuffer(context, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL, &call->status);
}

// Enqueues a kernel behind those before it, and lets go of it.
static inline void hone_enqueue(hone_call* call, cl_kernel kernel, cl_uint dims, const size_t* offset,
                                const size_t* global, const size_t* local) {
  cl_event done = NULL;
  if (call->status == CL_SUCCESS)
    call->status = call->last ? clEnqueueNDRangeKernel(call->queue, kernel, dims, offset, global, local, 1,
                                                       &call->last, &done)
                              : clEnqueueNDRangeKernel(call->queue, kernel, dims, offset, global, local,
                                                       call->waits, call->wait_list, &done);
  if (call->status == CL_SUCCESS) {
    if (call->last) clReleaseEvent(call->last);
    call->last = done;
    ++call->steps;
#ifdef HONE_OPENCL_TRACE
    char name[256] = "";
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name) - 1, name, NULL);
    fprintf(stderr, "hone: enqueued %s\n", name);
#endif
  }
  if (kernel) clReleaseKernel(kernel);
}

static inline void hone_step(hone_call* call, cl_kernel kernel, const size_t global[3], const size_t local[3]) {
  const size_t offset[3] = {(size_t)call->offset[0], (size_t)call->offset[1], (size_t)call->offset[2]};
  cl_uint dims = 3;
  while (dims > call->dims && global[dims - 1] == 1 && local[dims - 1] == 1) --dims;
  hone_enqueue(call, kernel, dims, call->given_offset ? offset : NULL, global, local);
}

static inline void hone_as_given(hone_call* call, cl_kernel kernel) {
  hone_enqueue(call, kernel, call->dims, call->given_offset, call->given_global, call->given_local);
}

// No when the first step failed already, say because the device has too little of something: the original may still run.
static inline int hone_done(hone_call* call) {
  if (call->status == CL_SUCCESS || call->steps > 0) return 1;
  call->status = CL_SUCCESS;
  return 0;
}

// Lets go of everything, and hands out the last kernel's event where one is wanted.
static inline cl_int hone_end(hone_call* call, cl_event* event) {
  for (int i = 0; i < 8; ++i)
    if (call->temporaries[i]) clReleaseMemObject(call->temporaries[i]);
  if (event && !call->last && call->status == CL_SUCCESS)
    call->status = clEnqueueMarkerWithWaitList(call->queue, call->waits, call->wait_list, &call->last);
  if (event && call->status == CL_SUCCESS)
    *event = call->last;
  else if (call->last)
    clReleaseEvent(call->last);
  return call->status;
}

// The buffer that a buffer is part of, or itself, and where in it it begins.
static inline int hone_root(cl_mem buffer, cl_mem* root, size_t* offset) {
  if (clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(*root), root, NULL) != CL_SUCCESS ||
      clGetMemObjectInfo(buffer, CL_MEM_OFFSET, sizeof(*offset), offset, NULL) != CL_SUCCESS)
    return 0;
  if (!*root) *root = buffer;
  return 1;
}

// Whether bytes low to high of two buffers, counted from their beginnings, share nothing. Only parts of one buffer can.
static inline int hone_apart(cl_mem a, cl_long low_a, cl_long high_a, cl_mem b, cl_long low_b, cl_long high_b) {
  cl_mem root_a = NULL, root_b = NULL;
  size_t at_a = 0, at_b = 0;
  if (!a || !b) return 1;  // a null pointer
  if (!hone_root(a, &root_a, &at_a) || !hone_root(b, &root_b, &at_b)) return 0;
  return root_a != root_b || (cl_long)at_a + high_a <= (cl_long)at_b + low_b ||
         (cl_long)at_b + high_b <= (cl_long)at_a + low_a;
}

// Whether a buffer begins at a multiple of so many bytes. All do but parts of others and those that use the host's memory.
static inline int hone_aligned(const hone_call* call, cl_mem buffer, size_t bytes) {
  cl_mem root = NULL;
  size_t at = 0;
  cl_mem_flags flags = 0;
  void* memory = NULL;
  cl_device_id device = NULL;
  cl_uint bits = 0;
  if (!buffer || !hone_root(buffer, &root, &at) ||
      clGetMemObjectInfo(root, CL_MEM_FLAGS, sizeof(flags), &flags, NULL) != CL_SUCCESS ||
      clGetMemObjectInfo(root, CL_MEM_HOST_PTR, sizeof(memory), &memory, NULL) != CL_SUCCESS ||
      clGetCommandQueueInfo(call->queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL) != CL_SUCCESS ||
      clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(bits), &bits, NULL) != CL_SUCCESS)
    return 0;
  if ((flags & CL_MEM_USE_HOST_PTR) && (uintptr_t)memory % bytes != 0) return 0;
  return at % bytes == 0 && bits % (8 * bytes) == 0;
}
#endif  // HONE_OPENCL_CALL
)";

}  // namespace

std::string enqueueHeader(const std::vector<EnqueueText>& functions, const std::string& source) {
  std::string guard = "HONE_" + asIdentifier(source) + "_H";
  for (char& c : guard) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text =
      commentLines("Written by hone: how a host program enqueues the kernels of " + source + ".\n" +
                   "A function NAME_enqueue stands for clEnqueueNDRangeKernel of the kernel NAME: a program "
                   "built from that file in\n"
                   "place of the kernel, then the arguments that clSetKernelArg would have been given (for "
                   "local memory its bytes, for a\n"
                   "struct its address). It enqueues what hone made of the kernel where that gives the same, "
                   "else the kernel itself, and returns\n"
                   "the first error. The event is that of the last kernel. OpenCL 1.2, C99 or C++. With "
                   "HONE_OPENCL_TRACE defined it tells on stderr which\n"
                   "kernels it enqueues; with HONE_OFF defined, or HONE_OFF=1 in the environment, those are "
                   "the originals.");
  text += "#ifndef " + guard + "\n#define " + guard + "\n\n" + shared;
  for (const EnqueueText& f : functions) {
    text += "\n";
    if (f.problem.empty())
      text += f.text;
    else
      text += commentLines(f.name + ": none, " + f.problem + ".");
  }
  text = formatCode(text + "\n#endif  // " + guard, {});
  return text.ends_with("\n") ? text : text + "\n";
}

}  // namespace hone::emit
