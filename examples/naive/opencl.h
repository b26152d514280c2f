// What the OpenCL host programs of this folder have in common: a device with its queue, the kernels of a file, buffers, launches.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

// What launch() takes for a kernel: the kernel itself, or with -DHONE the function that `hone opt NAME.cl -o FOLDER/NAME.cl` put into
// FOLDER/NAME.hone.h (compile with -I FOLDER, run with -k FOLDER/NAME.cl).
#ifdef HONE
#define KERNEL(cl, name) name##_enqueue
#else
#define KERNEL(cl, name) cl.kernel(#name)
#endif

class OpenCL {
 public:
  // Takes options off the front of the command line: -k FILE, the kernels (otherwise `file`); -p NAME, part of the platform's
  // name (otherwise the first); -I FOLDER and the like, for the compiler of the kernels.
  OpenCL(int& argc, char**& argv, const std::string& file) {
    std::string source = file, platform, flags;
    while (argc > 2 && argv[1][0] == '-') {
      std::string option = argv[1], value = argv[2];
      if (option == "-k")
        source = value;
      else if (option == "-p")
        platform = value;
      else
        flags += option + " " + value + " ";
      argc -= 2;
      argv += 2;
    }
    choosePlatform(platform);
    cl_int status;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    build(source, flags);
  }
  OpenCL(const OpenCL&) = delete;
  ~OpenCL() {
    for (cl_mem b : buffers) clReleaseMemObject(b);
    for (cl_kernel k : kernels) clReleaseKernel(k);
    if (program) clReleaseProgram(program);
    if (queue) clReleaseCommandQueue(queue);
    if (context) clReleaseContext(context);
  }

  cl_kernel kernel(const char* name) {
    cl_int status;
    kernels.push_back(clCreateKernel(program, name, &status));
    check(status, name);
    return kernels.back();
  }

  cl_mem allocate(size_t bytes) {
    cl_int status;
    buffers.push_back(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status));
    check(status, "clCreateBuffer");
    return buffers.back();
  }

  template <class T> cl_mem upload(const std::vector<T>& data) {
    cl_mem buffer = allocate(data.size() * sizeof(T));
    check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, data.size() * sizeof(T), data.data(), 0, nullptr,
                               nullptr),
          "clEnqueueWriteBuffer");
    return buffer;
  }

  template <class T> void download(cl_mem buffer, std::vector<T>& data) {
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, data.size() * sizeof(T), data.data(), 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
  }

  // As many work-items as asked for, rounded up to whole work-groups.
  template <class... Args>
  void launch(cl_kernel k, std::initializer_list<int> items, std::initializer_list<size_t> group,
              Args... args) {
    cl_uint index = 0;
    (check(clSetKernelArg(k, index++, sizeof(args), &args), "clSetKernelArg"), ...);
    std::vector<size_t> local(group), global = rounded(items, local);
    check(clEnqueueNDRangeKernel(queue, k, cl_uint(global.size()), nullptr, global.data(), local.data(), 0,
                                 nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }

  // The same by a function of a header that `hone opt` wrote.
  template <class... Params>
  using Enqueue = cl_int (*)(cl_command_queue, cl_program, cl_uint, const size_t*, const size_t*,
                             const size_t*, cl_uint, const cl_event*, cl_event*, Params...);
  template <class... Params, class... Args>
  void launch(Enqueue<Params...> enqueue, std::initializer_list<int> items,
              std::initializer_list<size_t> group, Args... args) {
    std::vector<size_t> local(group), global = rounded(items, local);
    check(enqueue(queue, program, cl_uint(global.size()), nullptr, global.data(), local.data(), 0, nullptr,
                  nullptr, args...),
          "enqueue");
  }

 private:
  static std::vector<size_t> rounded(std::initializer_list<int> items, const std::vector<size_t>& local) {
    std::vector<size_t> global;
    for (int n : items) {
      size_t along = local[global.size()];
      global.push_back((size_t(n) + along - 1) / along * along);
    }
    return global;
  }

  static void check(cl_int status, const char* what) {
    if (status == CL_SUCCESS) return;
    std::fprintf(stderr, "%s: OpenCL error %d\n", what, int(status));
    std::exit(2);
  }

  void choosePlatform(const std::string& wanted) {
    cl_uint count = 0;
    if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) {
      std::fprintf(stderr, "there is no OpenCL platform\n");
      std::exit(77);
    }
    std::vector<cl_platform_id> platforms(count);
    check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
    for (cl_platform_id p : platforms) {
      char name[256] = "";
      clGetPlatformInfo(p, CL_PLATFORM_NAME, sizeof(name), name, nullptr);
      if (std::string(name).find(wanted) == std::string::npos) continue;
      if (clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS) return;
    }
    std::fprintf(stderr, "no OpenCL platform named %s has a device\n", wanted.c_str());
    std::exit(2);
  }

  void build(const std::string& file, const std::string& flags) {
    std::ifstream in(file);
    if (!in) {
      std::fprintf(stderr, "cannot read %s\n", file.c_str());
      std::exit(2);
    }
    std::stringstream text;
    text << in.rdbuf();
    std::string code = text.str();
    const char* begin = code.c_str();
    cl_int status;
    program = clCreateProgramWithSource(context, 1, &begin, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, flags.c_str(), nullptr, nullptr) == CL_SUCCESS) return;
    size_t length = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &length);
    std::string log(length, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, length, log.data(), nullptr);
    std::fprintf(stderr, "%s does not compile:\n%s\n", file.c_str(), log.c_str());
    std::exit(2);
  }

  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
  std::vector<cl_kernel> kernels;
  std::vector<cl_mem> buffers;
};
