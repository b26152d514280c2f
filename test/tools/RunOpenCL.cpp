// run_opencl JOB OUTCOME: runs the launches of a job on PoCL and writes the arrays they leave. A process of
// its own, because PoCL may crash; what was run before is in the outcome. Exit status 0, or 77 where there is
// no PoCL.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <cstdio>

#include "RunJob.h"

namespace {

using hone::test::JobArgument;
using hone::test::JobLaunch;

cl_device_id poclDevice() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return nullptr;
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms) {
    std::string name(256, '\0');
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, name.size(), name.data(), nullptr);
    if (name.find("Portable Computing Language") == std::string::npos) continue;
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS) return device;
  }
  return nullptr;
}

class Runner {
 public:
  explicit Runner(cl_device_id device) : device(device) {
    cl_int status = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, &status);
  }

  std::string build(const std::string& source, const std::string& options) {
    const char* text = source.c_str();
    const size_t length = source.size();
    cl_int status = CL_SUCCESS;
    program = clCreateProgramWithSource(context, 1, &text, &length, &status);
    if (status == CL_SUCCESS) status = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
    if (status == CL_SUCCESS) return "";
    std::string log(20000, '\0');
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), &size);
    log.resize(size);
    return "not built: " + log;
  }

  std::string run(const JobLaunch& launch, std::vector<std::vector<uint8_t>>& after) {
    cl_int status = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, launch.kernel.c_str(), &status);
    if (status != CL_SUCCESS) return "no kernel " + launch.kernel;
    std::vector<std::pair<cl_mem, size_t>> buffers;
    for (cl_uint i = 0; i < launch.arguments.size(); ++i) {
      const JobArgument& argument = launch.arguments[i];
      if (argument.kind == JobArgument::Value) {
        status |= clSetKernelArg(kernel, i, argument.size, argument.bytes.data());
      } else if (argument.kind == JobArgument::Local) {
        status |= clSetKernelArg(kernel, i, argument.size, nullptr);
      } else {
        cl_int made = CL_SUCCESS;
        cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, argument.size,
                                       const_cast<uint8_t*>(argument.bytes.data()), &made);
        buffers.emplace_back(buffer, argument.size);
        status |= made | clSetKernelArg(kernel, i, sizeof buffer, &buffer);
      }
    }
    if (status != CL_SUCCESS) return "arguments of " + launch.kernel + " refused";
    size_t offset[3], global[3], local[3];
    for (int axis = 0; axis < 3; ++axis) {
      offset[axis] = launch.offset[static_cast<size_t>(axis)];
      global[axis] = launch.global[static_cast<size_t>(axis)];
      local[axis] = launch.local[static_cast<size_t>(axis)];
    }
    status =
        clEnqueueNDRangeKernel(queue, kernel, launch.dimensions, offset, global, local, 0, nullptr, nullptr);
    if (status == CL_SUCCESS) status = clFinish(queue);
    if (status != CL_SUCCESS) return "launch refused with status " + std::to_string(status);
    for (auto& [buffer, size] : buffers) {
      after.emplace_back(size);
      clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, after.back().data(), 0, nullptr, nullptr);
      clReleaseMemObject(buffer);
    }
    clReleaseKernel(kernel);
    return "";
  }

 private:
  cl_device_id device;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  cl_device_id device = poclDevice();
  if (!device) return hone::test::noPocl;
  hone::test::ByteReader in(argv[1]);
  hone::test::ByteWriter out;
  Runner runner(device);
  const std::string source = in.text(), options = in.text();
  const std::string unbuilt = runner.build(source, options);
  const uint64_t count = in.number();
  for (uint64_t i = 0; i < count; ++i) {
    const JobLaunch launch = hone::test::readLaunch(in);
    std::vector<std::vector<uint8_t>> after;
    const std::string problem = unbuilt.empty() ? runner.run(launch, after) : unbuilt;
    hone::test::writeOutcome(out, problem, after);
    out.save(argv[2]);
  }
  return 0;
}
