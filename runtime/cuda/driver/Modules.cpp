// Modules: bundles that a program loads when it runs, and launches of their kernels.
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "Driver.h"
#include "ir/Error.h"
#include "sim/bytecode/BundleText.h"

using namespace hone::cuda;

// The runtime knows the kernel by the address of this.
struct CUfunc_st {
  std::string name;
};
struct CUmod_st {
  unsigned bundle = 0;
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
};

namespace {

// What was given in place of a bundle.
CUresult refuseImage(const char* image) {
  const std::string_view head(image, strnlen(image, 64));
  const bool isPtx = head.starts_with("//") || head.find(".version") != head.npos;
  if (!Runtime::get().settings.quiet)
    fmt::print(
        stderr,
        "hone: the module is {}, which cannot run on the embedded device; `hone build -fatbin` (-cubin, "
        "-ptx) makes modules of .cu files that can\n",
        isPtx ? "PTX of another compiler"
        : head.starts_with("\x7f"
                           "ELF")
            ? "machine code"
            : "not one that hone made");
  return isPtx ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE;
}

// Clang gives static variables and kernels names of their own, the vendor's compilers do not.
std::string staticName(const std::string& name) {
  return name.starts_with("_Z") ? "_ZL" + name.substr(2) : fmt::format("_ZL{}{}", name.size(), name);
}

dim3 dimensions(unsigned x, unsigned y, unsigned z) { return dim3(x, y, z); }

// Pointers to the arguments in a block of them (CU_LAUNCH_PARAM_BUFFER_POINTER).
std::vector<void*> argumentsIn(CUfunction f, void** extra) {
  uint8_t* block = nullptr;
  for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) block = static_cast<uint8_t*>(extra[1]);
  std::vector<void*> out;
  KernelEntry* entry = Runtime::get().find(f);
  if (!block || !entry || !entry->bundled.reason.empty()) return out;
  for (const hone::sim::Parameter& p : Runtime::get().program(*entry).parameters)
    out.push_back(block + p.offset);
  return out;
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
  auto made = std::make_unique<CUmod_st>();
  std::vector<uint8_t> fromText;  // of what stands for PTX
  try {
    fromText = hone::sim::bundleInText(static_cast<const char*>(image));
    if (!fromText.empty()) image = fromText.data();
    hone::sim::readBundle(static_cast<const uint8_t*>(image));
  } catch (const hone::Error&) {
    return refuseImage(static_cast<const char*>(image));
  }
  made->bundle = Runtime::get().addBundle(image);
  *module = made.release();
  return CUDA_SUCCESS;
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned n, CUjit_option* options,
                            void** values) {
  for (unsigned k = 0; k < n; ++k)  // there is nothing to say
    if (options[k] == CU_JIT_INFO_LOG_BUFFER || options[k] == CU_JIT_ERROR_LOG_BUFFER)
      if (auto* log = static_cast<char*>(values[k])) *log = 0;
  return cuModuleLoadData(module, image);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return cuModuleLoadData(module, image);
}
CUresult cuModuleLoad(CUmodule* module, const char* path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return CUDA_ERROR_FILE_NOT_FOUND;
  std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
  bytes.resize(bytes.size() + 64);  // a short file is not read beyond its end
  return cuModuleLoadData(module, bytes.data());
}
// Kernels may be in use by graphs, so that they stay.
CUresult cuModuleUnload(CUmodule module) { return module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }

CUresult cuModuleGetFunction(CUfunction* f, CUmodule module, const char* given) {
  if (!f || !module || !given) return CUDA_ERROR_INVALID_VALUE;
  std::string name = given;
  if (!Runtime::get().hasKernel(module->bundle, name)) {
    name = staticName(name);
    if (!Runtime::get().hasKernel(module->bundle, name)) return CUDA_ERROR_NOT_FOUND;
  }
  std::unique_ptr<CUfunc_st>& known = module->functions[name];
  if (!known) {
    known = std::make_unique<CUfunc_st>(CUfunc_st{name});
    Runtime::get().addKernel(module->bundle, known.get(), name.c_str());
  }
  *f = known.get();
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr* p, size_t* bytes, CUmodule module, const char* name) {
  if (!module || !name) return CUDA_ERROR_INVALID_VALUE;
  const hone::sim::GlobalVariable* v = Runtime::get().variableOf(module->bundle, name);
  if (!v) v = Runtime::get().variableOf(module->bundle, staticName(name));
  if (!v) return CUDA_ERROR_NOT_FOUND;
  if (p) *p = Runtime::get().device.globalVariable(*v);
  if (bytes) *bytes = v->size;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction f, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned shared, CUstream s, void** arguments,
                        void** extra) {
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  std::vector<void*> given = argumentsIn(f, extra);
  return driverResult(cudaLaunchKernel(f, dimensions(gridX, gridY, gridZ), dimensions(blockX, blockY, blockZ),
                                       given.empty() ? arguments : given.data(), shared, s));
}
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gridX, unsigned gridY, unsigned gridZ,
                                   unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
                                   CUstream s, void** arguments) {
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  return driverResult(cudaLaunchCooperativeKernel(f, dimensions(gridX, gridY, gridZ),
                                                  dimensions(blockX, blockY, blockZ), arguments, shared, s));
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction f) {
  cudaFuncAttributes a;
  if (const cudaError_t status = cudaFuncGetAttributes(&a, f)) return driverResult(status);
  switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = a.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = int(a.sharedSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = int(a.constSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = int(a.localSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = a.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = a.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = a.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = a.maxDynamicSharedSizeBytes; break;
    default: *value = 0;
  }
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute which, int value) {
  if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_SUCCESS;
  return driverResult(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, value));
}
CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* n, CUfunction f, int threads, size_t shared) {
  return driverResult(cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, f, threads, shared));
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction f, CUoccupancyB2DSize sharedOf,
                                          size_t shared, int limit) {
  if (sharedOf) return CUDA_ERROR_NOT_SUPPORTED;
  return driverResult(
      cudaOccupancyMaxPotentialBlockSize(grid, block, static_cast<const void*>(f), shared, limit));
}
