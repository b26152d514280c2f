// What Clang's host code calls before main: the program's kernels and variables make themselves known. And
// the way a launch with
// <<<>>> takes.
#include "Runtime.h"

using namespace hone::cuda;

namespace {

struct FatBinary {  // Clang's wrapper around what the program carries
  int magic, version;
  const void* data;
  void* unused;
};

struct Configuration {
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
};
thread_local std::vector<Configuration> configurations;

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(const void* wrapper) {
  auto* handle = new unsigned(Runtime::get().addBundle(static_cast<const FatBinary*>(wrapper)->data));
  return reinterpret_cast<void**>(handle);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*, void*,
                            void*, void*, int*) {
  Runtime::get().addKernel(*reinterpret_cast<unsigned*>(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t size, int isConstant,
                       int) {
  Runtime::get().addSymbol(*reinterpret_cast<unsigned*>(handle), host, name, size, isConstant != 0);
}
void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, size_t size,
                              int isConstant, int) {
  Runtime::get().addSymbol(*reinterpret_cast<unsigned*>(handle), *host, name, size, isConstant != 0);
}
void __cudaRegisterTexture(void**, const void*, const void**, const char*, int, int, int) {}
void __cudaRegisterSurface(void**, const void*, const void**, const char*, int, int) {}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
int cudaConfigureCall(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  const Configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *static_cast<cudaStream_t*>(stream) = c.stream;
  return cudaSuccess;
}

}  // extern "C"
