// build_opencl: builds OpenCL programs on PoCL and does nothing else with them. Reads lines
// `FOLDER<tab>FILE<tab>OPTIONS` and answers each with a line `STATUS BYTES`, then as many bytes of log: 0
// built, 1 not built, 2 cannot be read. Exit status 77: no PoCL here. A process of its own, because PoCL may
// crash; many programs in one, because its built-ins take half a second to load.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <filesystem>
#include <fstream>
#include <iostream>
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

struct Outcome {
  int status = 0;
  std::string log;
};

Outcome build(cl_context context, cl_device_id device, const std::string& path, const std::string& options) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {2, "cannot read " + path};
  const std::string source{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const char* text = source.c_str();
  const size_t length = source.size();
  cl_int status = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(context, 1, &text, &length, &status);
  if (status != CL_SUCCESS) return {1, "no program"};
  status = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
  Outcome outcome{status == CL_SUCCESS ? 0 : 1, ""};
  if (status != CL_SUCCESS) {
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    outcome.log.resize(size);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, outcome.log.data(), nullptr);
  }
  clReleaseProgram(program);
  return outcome;
}

}  // namespace

int main() {
  cl_device_id device = poclDevice();
  if (!device) return noPocl;
  cl_int status = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  if (status != CL_SUCCESS) return noPocl;
  std::string folder, path, options;
  while (std::getline(std::cin, folder, '\t') && std::getline(std::cin, path, '\t') &&
         std::getline(std::cin, options)) {
    // Options may name folders relative to the file's.
    std::error_code problem;
    std::filesystem::current_path(folder, problem);
    const Outcome outcome = problem ? Outcome{2, problem.message()} : build(context, device, path, options);
    std::cout << outcome.status << ' ' << outcome.log.size() << '\n' << outcome.log << std::flush;
  }
  return 0;
}
