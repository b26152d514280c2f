// build_opencl FILE [OPTION...]: builds an OpenCL program on PoCL and does nothing else with it.
// Exit status 0 built, 1 not built (the log is on stderr), 77 no PoCL here. A process of its own, because PoCL may crash.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int noPocl = 77;

std::string platformName(cl_platform_id platform) {
  size_t size = 0;
  if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, nullptr, &size) != CL_SUCCESS || size == 0) return "";
  std::string name(size, '\0');
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, size, name.data(), nullptr);
  return name;
}

// The device by platform name, not by index: other platforms may be installed beside PoCL.
cl_device_id poclDevice() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return nullptr;
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms) {
    if (platformName(platform).find("Portable Computing Language") == std::string::npos) continue;
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS) return device;
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: build_opencl FILE [OPTION...]\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "build_opencl: cannot read %s\n", argv[1]);
    return 2;
  }
  const std::string source{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::string options;
  for (int i = 2; i < argc; ++i) options += (i > 2 ? " " : "") + std::string(argv[i]);

  cl_device_id device = poclDevice();
  if (!device) return noPocl;
  cl_int status = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  if (status != CL_SUCCESS) return noPocl;
  const char* text = source.c_str();
  const size_t length = source.size();
  cl_program program = clCreateProgramWithSource(context, 1, &text, &length, &status);
  if (status == CL_SUCCESS) status = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS) {
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    std::fprintf(stderr, "%s\n", log.c_str());
  }
  return status == CL_SUCCESS ? 0 : 1;
}
