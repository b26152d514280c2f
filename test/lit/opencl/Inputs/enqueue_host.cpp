// Enqueues what hone made of the kernels beside this file, in ways that a host may, and tells which kernel ran and whether the result is that of the original.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

// What the header takes it must give back.
static int kernelsMade = 0, buffersMade = 0, eventsMade = 0;
#define clCreateKernel(...) counted(kernelsMade, clCreateKernel(__VA_ARGS__))
#define clReleaseKernel(...) (--kernelsMade, clReleaseKernel(__VA_ARGS__))
#define clCreateBuffer(...) counted(buffersMade, clCreateBuffer(__VA_ARGS__))
#define clReleaseMemObject(...) (--buffersMade, clReleaseMemObject(__VA_ARGS__))
#define clEnqueueNDRangeKernel(...) countEvent(clEnqueueNDRangeKernel(__VA_ARGS__))
#define clReleaseEvent(...) (--eventsMade, clReleaseEvent(__VA_ARGS__))
static std::vector<std::string> ran;
template <class T> static T counted(int& count, T object) {
  if (object) ++count;
  return object;
}
static cl_int countEvent(cl_int status) {
  if (status == CL_SUCCESS) ++eventsMade;
  return status;
}
#define fprintf(stream, format, name) ran.push_back(name)
#define HONE_OPENCL_TRACE
#include "columns.hone.h"
#include "halves.hone.h"
#include "pairs.hone.h"
#undef fprintf
#undef clCreateBuffer
#undef clReleaseMemObject
#undef clCreateKernel
#undef clReleaseKernel
#undef clEnqueueNDRangeKernel
#undef clReleaseEvent

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void need(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::printf("%s: OpenCL error %d\n", what, int(status));
  std::exit(2);
}

static cl_program build(const std::string& file, const char* flags) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::string code = text.str();
  const char* begin = code.c_str();
  cl_int status;
  cl_program program = clCreateProgramWithSource(context, 1, &begin, nullptr, &status);
  need(status, "clCreateProgramWithSource");
  need(clBuildProgram(program, 1, &device, flags, nullptr, nullptr), file.c_str());
  return program;
}

static cl_mem part(cl_mem whole, size_t first, size_t count) {
  cl_buffer_region region = {first * sizeof(float), count * sizeof(float)};
  cl_int status;
  cl_mem made = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  need(status, "clCreateSubBuffer");
  return made;
}

static const size_t w = 96, h = 5, extra = 1024;
static std::vector<float> before() {
  std::vector<float> data(w * h + extra);
  for (size_t i = 0; i < data.size(); ++i) data[i] = float(i * 7 % 17) - 8;
  return data;
}

// Runs `launch`, which changes `buffer`, and compares with what `expected` makes of the same numbers.
static void scene(const char* name, cl_mem buffer, const std::function<cl_int()>& launch,
                  const std::function<void(float*)>& expected) {
  std::vector<float> now = before(), wanted = before();
  need(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, now.size() * sizeof(float), now.data(), 0, nullptr,
                            nullptr),
       "clEnqueueWriteBuffer");
  ran.clear();
  kernelsMade = buffersMade = eventsMade = 0;
  cl_int status = launch();
  need(clFinish(queue), "clFinish");
  need(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, now.size() * sizeof(float), now.data(), 0, nullptr,
                           nullptr),
       "clEnqueueReadBuffer");
  if (status == CL_SUCCESS) expected(wanted.data());
  std::string kernels;
  for (const std::string& one : ran) kernels += " " + one;
  std::printf("%s:%s, status %d, %s%s\n", name, kernels.c_str(), int(status),
              now == wanted ? "right" : "WRONG", kernelsMade || buffersMade || eventsMade ? ", LEAKS" : "");
}

int main(int, char** argv) {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  need(clGetPlatformIDs(8, platforms, &count), "clGetPlatformIDs");
  for (cl_uint i = 0; i < count; ++i) {
    char name[128] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, nullptr);
    if (std::string(name).find("Portable") == std::string::npos) continue;
    need(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  }
  cl_int status;
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  need(status, "clCreateContext");
  queue = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
  if (status != CL_SUCCESS) queue = clCreateCommandQueue(context, device, 0, &status);
  need(status, "clCreateCommandQueue");
  const std::string results = argv[1], originals = argv[2];
  cl_program made = build(results + "/columns.cl", ""), given = build(originals + "/columns.cl", "");
  cl_program halves = build(results + "/halves.cl", argv[3]), pairs = build(results + "/pairs.cl", "");

  const size_t bytes = (w * h + extra) * sizeof(float);
  cl_mem whole = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
  need(status, "clCreateBuffer");
  cl_mem other = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
  need(status, "clCreateBuffer");

  // columns: y[x] += a[i * w + x], row by row, in the order of the original.
  auto columns = [&](size_t y, size_t a, size_t first = 0) {
    return [=](float* data) {
      for (size_t x = first; x < w; ++x)
        for (size_t i = 0; i < h; ++i) data[y + x] += data[a + i * w + x];
    };
  };
  const size_t global = 128, local = 32;
  const size_t behind = 512;  // rows are multiples of the 32 elements at which a part may begin
  auto enqueue = [&](cl_program program, cl_mem a, cl_mem y, const size_t* offset, const size_t* items,
                     const size_t* group, cl_event* event = nullptr) {
    return columns_enqueue(queue, program, 1, offset, items, group, 0, nullptr, event, a, y, cl_int(w),
                           cl_int(h));
  };
  cl_mem a = part(whole, 0, w * h), y = part(whole, behind, w), row1 = part(whole, w, w);

  std::vector<float> start = before();
  need(clEnqueueWriteBuffer(queue, other, CL_TRUE, 0, bytes, start.data(), 0, nullptr, nullptr),
       "clEnqueueWriteBuffer");
  scene(
      "two buffers", whole, [&] { return enqueue(made, other, y, nullptr, &global, &local); },
      columns(behind, 0));
  scene(
      "parts that lie apart", whole, [&] { return enqueue(made, a, y, nullptr, &global, &local); },
      columns(behind, 0));
  scene(
      "a part in the other", whole, [&] { return enqueue(made, a, row1, nullptr, &global, &local); },
      columns(w, 0));
  scene(
      "one part twice", whole, [&] { return enqueue(made, a, a, nullptr, &global, &local); }, columns(0, 0));
  scene(
      "the whole and a part", whole, [&] { return enqueue(made, whole, row1, nullptr, &global, &local); },
      columns(w, 0));
  scene(
      "no size of work-groups", whole, [&] { return enqueue(made, a, y, nullptr, &global, nullptr); },
      columns(behind, 0));
  const size_t begin = 32, rest = 64;
  scene(
      "from an offset", whole, [&] { return enqueue(made, a, y, &begin, &rest, &local); },
      columns(behind, 0, begin));
  scene(
      "a program without the new kernel", whole,
      [&] { return enqueue(given, a, y, nullptr, &global, &local); }, columns(behind, 0));
  const size_t nothing = 0;
  scene("no work-item", whole, [&] { return enqueue(made, a, y, nullptr, &nothing, &local); }, [](float*) {});

  // An event is handed out, and belongs to the caller.
  scene(
      "with an event", whole,
      [&] {
        cl_event event = nullptr;
        cl_int result = enqueue(made, a, y, nullptr, &global, &local, &event);
        need(clWaitForEvents(1, &event), "clWaitForEvents");
        clReleaseEvent(event);
        --eventsMade;
        return result;
      },
      columns(behind, 0));

  // Steps wait for each other, and the first for the caller's event.
  const size_t parts = 512 + 96;
  cl_mem sum = part(whole, 512 + 64, 1), piece = part(whole, parts, 128);
  scene(
      "several steps", whole,
      [&] {
        cl_event gate = clCreateUserEvent(context, &status);
        const size_t items = 128;
        cl_int result = halves_enqueue(queue, halves, 1, nullptr, &items, &items, 1, &gate, nullptr, a, piece,
                                       sum, cl_int(300));
        clSetUserEventStatus(gate, CL_COMPLETE);
        clReleaseEvent(gate);
        return result;
      },
      [&](float* data) {
        float* p = data + parts;
        for (int x = 0; x < 128; ++x) {
          p[x] = 0;
          for (int i = x; i < 300; i += 128) p[x] += data[i];
        }
        for (int s = 64; s > 0; s /= 2)
          for (int x = 0; x < s; ++x) p[x] += p[x + s];
        data[512 + 64] = p[0];
      });

  // Memory of the host's may begin anywhere.
  for (size_t shift : {size_t(0), size_t(1)}) {
    std::vector<float> space(w * h + extra + 64);
    float* aligned = space.data();
    while (reinterpret_cast<uintptr_t>(aligned) % 128 != 0) ++aligned;
    cl_mem own =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, aligned + shift, &status);
    need(status, "clCreateBuffer");
    scene(
        shift ? "the host's memory, not aligned" : "the host's memory, aligned", own,
        [&] {
          const size_t items = 64, group = 32;
          return pairs_enqueue(queue, pairs, 1, nullptr, &items, &group, 0, nullptr, nullptr, own,
                               cl_int(60));
        },
        [](float* data) {
          for (int x = 0; x < 60; ++x) {
            float sumOfTwo = data[2 * x] + data[2 * x + 1];
            data[2 * x] = sumOfTwo;
            data[2 * x + 1] = sumOfTwo * 2;
          }
        });
    clReleaseMemObject(own);
  }
  return 0;
}
