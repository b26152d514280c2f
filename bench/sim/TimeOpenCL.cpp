// Times the same matrix product through OpenCL, building left out; meant to be run under Oclgrind.
//   oclgrind --data-races time_opencl FILE.cl KERNEL N      prints the seconds of one run
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <vector>

namespace {

void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  std::ifstream file(argv[1]);
  std::stringstream text;
  text << file.rdbuf();
  const std::string source = text.str();
  const size_t n = size_t(std::atoi(argv[3]));
  cl_platform_id platform;
  cl_device_id device;
  check(clGetPlatformIDs(1, &platform, nullptr), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "device");
  cl_int status;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "queue");
  const char* pointer = source.c_str();
  cl_program program = clCreateProgramWithSource(context, 1, &pointer, nullptr, &status);
  check(status, "program");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "build");
  cl_kernel kernel = clCreateKernel(program, argv[2], &status);
  check(status, "kernel");
  std::mt19937 random(1);
  std::vector<float> data(n * n);
  for (cl_uint p = 0; p < 3; ++p) {
    for (float& f : data) f = float(random() % 1000) / 1000.0f;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   data.size() * sizeof(float), data.data(), &status);
    check(status, "buffer");
    check(clSetKernelArg(kernel, p, sizeof buffer, &buffer), "argument");
  }
  const cl_int size = cl_int(n);
  check(clSetKernelArg(kernel, 3, sizeof size, &size), "argument");
  const size_t global[] = {n, n}, local[] = {16, 16};
  const auto start = std::chrono::steady_clock::now();
  check(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr), "launch");
  check(clFinish(queue), "finish");
  std::printf("%.6f seconds\n",
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return 0;
}
