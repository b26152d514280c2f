#include "worker/CompileCuda.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "worker/CudaApi.h"
#include "worker/Device.h"

namespace hone::worker {

namespace {

// Where the toolkit's headers (cuda_fp16.h, cooperative_groups.h) lie on this machine; empty when nowhere.
std::string includeFolder() {
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable))
      if (std::filesystem::exists(std::string(home) + "/include/cuda_fp16.h"))
        return std::string(home) + "/include";
  for (const char* folder : {"/usr/local/cuda/include", "/opt/cuda/include"})
    if (std::filesystem::exists(std::string(folder) + "/cuda_fp16.h")) return folder;
  return "";
}

}  // namespace

CudaImage compileCuda(const std::string& source, const std::vector<std::string>& flags,
                      const std::string& compute, const std::vector<std::string>& kernels) {
  const NvrtcApi* api = nullptr;
  try {
    api = &NvrtcApi::get();
  } catch (const std::runtime_error& error) {
    throw BuildError(error.what());
  }
  const auto begin = std::chrono::steady_clock::now();
  NvrtcApi::Program program = nullptr;
  if (api->create(&program, source.c_str(), "variant.cu", 0, nullptr, nullptr) != 0)
    throw BuildError("NVRTC does not take the source");
  struct Destroy {
    const NvrtcApi& api;
    NvrtcApi::Program& program;
    ~Destroy() { api.destroy(&program); }
  } destroy{*api, program};

  std::string architecture = "--gpu-architecture=sm_" + compute;
  architecture.erase(std::remove(architecture.begin(), architecture.end(), '.'), architecture.end());
  std::vector<std::string> all{architecture, "-default-device", "--std=c++17"};
  if (std::string folder = includeFolder(); !folder.empty()) {
    all.push_back("-I" + folder);
    if (std::filesystem::exists(folder + "/cccl")) all.push_back("-I" + folder + "/cccl");
  }
  all.insert(all.end(), flags.begin(), flags.end());
  std::vector<const char*> options;
  for (const std::string& option : all) options.push_back(option.c_str());
  for (const std::string& kernel : kernels) api->addName(program, kernel.c_str());

  const int status = api->compile(program, static_cast<int>(options.size()), options.data());
  if (status != 0) {
    size_t size = 0;
    api->logSize(program, &size);
    std::string log(size, '\0');
    if (size) api->log(program, log.data());
    log.resize(std::min(log.find('\0'), size_t(4000)));
    throw BuildError(log.empty() ? "NVRTC error " + std::to_string(status) : log);
  }
  CudaImage out;
  size_t size = 0;
  if (api->cubinSize(program, &size) != 0 || size == 0)
    throw BuildError("NVRTC makes no machine code for compute capability " + compute);
  out.cubin.resize(size);
  api->cubin(program, reinterpret_cast<char*>(out.cubin.data()));
  for (const std::string& kernel : kernels) {
    const char* symbol = nullptr;
    if (api->loweredName(program, kernel.c_str(), &symbol) != 0 || !symbol)
      throw BuildError("the source has no kernel '" + kernel + "'");
    out.symbols[kernel] = symbol;
  }
  out.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

std::string nvrtcVersion() {
  try {
    int major = 0, minor = 0;
    if (NvrtcApi::get().version(&major, &minor) != 0) return "";
    return std::to_string(major) + "." + std::to_string(minor);
  } catch (const std::runtime_error&) {
    return "";
  }
}

}  // namespace hone::worker
