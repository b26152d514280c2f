// run_cuda CUBIN JOB OUTCOME: runs the launches of a job on a GPU through the driver and writes the arrays
// they leave. Not part of the build; on a GPU machine:
//   nvcc -std=c++20 RunCuda.cpp -lcuda -o run_cuda
//   nvcc -arch=native -fmad=false -cubin FILE.cu -o FILE.cubin; ./run_cuda FILE.cubin FILE.job FILE.outcome
#include <cuda.h>
#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>

#include "RunJob.h"

namespace {

using hone::test::JobArgument;
using hone::test::JobLaunch;

// "void sums<int, true>(Vec<int, 4>*, …)" as tables have it: "sums<int,true>".
std::string tableName(const char* mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : mangled;
  std::free(text);
  if (const size_t at = name.find("(anonymous namespace)::"); at != std::string::npos) name.erase(at, 23);
  if (name.starts_with("void ")) name.erase(0, 5);
  name = name.substr(0, name.find('('));
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool isSuffix = name[i] == 'u' && i > 0 && name[i - 1] >= '0' && name[i - 1] <= '9';
    if (name[i] != ' ' && !isSuffix) out += name[i];
  }
  return out;
}

std::string problemOf(CUresult result) {
  const char* text = nullptr;
  if (result == CUDA_SUCCESS) return "";
  cuGetErrorString(result, &text);
  return text ? text : "unknown error";
}

std::string run(CUmodule module, const JobLaunch& launch, std::vector<std::vector<uint8_t>>& after) {
  unsigned count = 0;
  cuModuleGetFunctionCount(&count, module);
  std::vector<CUfunction> functions(count);
  cuModuleEnumerateFunctions(functions.data(), count, module);
  CUfunction kernel = nullptr;
  for (CUfunction function : functions) {
    const char* name = nullptr;
    cuFuncGetName(&name, function);
    if (name && tableName(name) == launch.kernel) kernel = function;
  }
  if (!kernel) return "no kernel " + launch.kernel;
  std::vector<CUdeviceptr> addresses(launch.arguments.size());
  std::vector<void*> values;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const JobArgument& argument = launch.arguments[i];
    if (argument.kind == JobArgument::Buffer) {
      cuMemAlloc(&addresses[i], argument.size);
      cuMemcpyHtoD(addresses[i], argument.bytes.data(), argument.size);
      values.push_back(&addresses[i]);
    } else {
      values.push_back(const_cast<uint8_t*>(argument.bytes.data()));
    }
  }
  CUlaunchAttribute cooperative{};
  cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  cooperative.value.cooperative = 1;
  CUlaunchConfig config{};
  config.gridDimX = static_cast<unsigned>(launch.global[0] / launch.local[0]);
  config.gridDimY = static_cast<unsigned>(launch.global[1] / launch.local[1]);
  config.gridDimZ = static_cast<unsigned>(launch.global[2] / launch.local[2]);
  config.blockDimX = static_cast<unsigned>(launch.local[0]);
  config.blockDimY = static_cast<unsigned>(launch.local[1]);
  config.blockDimZ = static_cast<unsigned>(launch.local[2]);
  config.sharedMemBytes = static_cast<unsigned>(launch.shared);
  config.attrs = &cooperative;
  config.numAttrs = launch.isCooperative ? 1 : 0;
  CUresult result = cuLaunchKernelEx(&config, kernel, values.data(), nullptr);
  if (result == CUDA_SUCCESS) result = cuCtxSynchronize();
  for (size_t i = 0; i < launch.arguments.size() && result == CUDA_SUCCESS; ++i) {
    if (launch.arguments[i].kind != JobArgument::Buffer) continue;
    after.emplace_back(launch.arguments[i].size);
    cuMemcpyDtoH(after.back().data(), addresses[i], after.back().size());
    cuMemFree(addresses[i]);
  }
  return problemOf(result);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  CUdevice device = 0;
  CUcontext context = nullptr;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  hone::test::ByteReader in(argv[2]);
  hone::test::ByteWriter out;
  const uint64_t count = in.number();
  for (uint64_t i = 0; i < count; ++i) {
    const JobLaunch launch = hone::test::readLaunch(in);
    std::vector<std::vector<uint8_t>> after;
    // Loaded anew, so that __device__ variables start as the program says.
    CUmodule module = nullptr;
    std::string problem = problemOf(cuModuleLoad(&module, argv[1]));
    if (problem.empty()) problem = run(module, launch, after);
    hone::test::writeOutcome(out, problem, after);
    if (module) cuModuleUnload(module);
  }
  out.save(argv[3]);
  return 0;
}
