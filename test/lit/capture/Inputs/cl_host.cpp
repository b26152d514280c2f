// cl_host FILE [MODE]: launches the kernels of places.cl; MODE kill ends it by a signal, svm uses shared
// virtual memory, any leaves the size of work-groups to the driver.
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

static void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::printf("%s: %d\n", what, status);
  std::exit(1);
}

int main(int, char** argv) {
  const std::string mode = argv[2] ? argv[2] : "";
  const int n = 1000, width = 64, height = 20;
  std::ifstream in(argv[1]);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  cl_platform_id platform;
  cl_device_id device;
  cl_int status = 0;
  check(clGetPlatformIDs(1, &platform, nullptr), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "device");
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "queue");
  const char* source = text.c_str();
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "build");

  std::vector<int> places(n);
  std::vector<float> values(2048, 2);
  for (int i = 0; i < n; ++i) places[i] = n - 1 - i;
  cl_mem placesBuffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * sizeof(int), places.data(), &status);
  check(status, "buffer");
  cl_mem whole = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 2048 * sizeof(float), values.data(), &status);
  const cl_buffer_region region{4096, 1024 * sizeof(float)};
  cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  check(status, "part");

  cl_kernel scale = clCreateKernel(program, "scale", &status);
  check(status, "kernel");
  const struct {
    float factor;
    int shift;
  } step{1.5f, 3};
  check(clSetKernelArg(scale, 0, sizeof placesBuffer, &placesBuffer), "argument");
  check(clSetKernelArg(scale, 1, sizeof part, &part), "argument");
  check(clSetKernelArg(scale, 2, sizeof step, &step), "argument");
  check(clSetKernelArg(scale, 3, sizeof n, &n), "argument");
  check(clSetKernelArg(scale, 4, 64 * sizeof(float), nullptr), "argument");
  if (mode == "svm") {
    void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 5000 * sizeof(float), 0);
    if (!memory) return 1;
    check(clEnqueueSVMMemcpy(queue, CL_TRUE, memory, values.data(), 1000 * sizeof(float), 0, nullptr, nullptr), "copy");
    check(clSetKernelArgSVMPointer(scale, 1, memory), "argument");
  }
  const size_t global = 1024, local = 64;
  for (int i = 0; i < 5; ++i)
    check(clEnqueueNDRangeKernel(queue, scale, 1, nullptr, &global, &local, 0, nullptr, nullptr), "launch");
  check(clFinish(queue), "finish");
  if (mode == "kill") std::raise(SIGKILL);

  cl_kernel turn = clCreateKernel(program, "turn", &status);
  check(clSetKernelArg(turn, 0, sizeof whole, &whole), "argument");
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, width * height * sizeof(float), nullptr, &status);
  check(clSetKernelArg(turn, 1, sizeof out, &out), "argument");
  check(clSetKernelArg(turn, 2, sizeof width, &width), "argument");
  check(clSetKernelArg(turn, 3, sizeof height, &height), "argument");
  const size_t area[2] = {64, 20}, groups[2] = {16, 4};
  cl_event done;
  check(clEnqueueNDRangeKernel(queue, turn, 2, nullptr, area, mode == "any" ? nullptr : groups, 0, nullptr, &done), "launch");
  check(clWaitForEvents(1, &done), "wait");
  check(clEnqueueReadBuffer(queue, part, CL_TRUE, 0, sizeof(float), values.data(), 0, nullptr, nullptr), "read");
  std::printf("%g\n", values[0]);
}
