// A kernel from source text on the embedded device, with its arrays as vectors.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "frontend/Import.h"
#include "ir/Error.h"
#include "sim/execute/Run.h"

namespace hone::sim::testing {

inline ir::KernelPtr importText(const std::string& text, const std::string& name, bool openCL = false) {
  frontend::SourceRequest request;
  request.path = openCL ? "/hone-test/k.cl" : "/hone-test/k.cu";
  request.contents = text;
  request.headers = frontend::CudaHeaders::BuiltIn;
  request.useCache = false;
  const frontend::ImportResult result = frontend::importFile(request);
  for (const frontend::ImportedKernel& k : result.kernels)
    if (k.name == name) {
      EXPECT_TRUE(k.kernel) << k.reason;
      return k.kernel;
    }
  ADD_FAILURE() << "no kernel " << name << "\n" << result.failure << result.renderedDiagnostics;
  return nullptr;
}

class RunKernel {
 public:
  RunKernel(const std::string& text, const std::string& name, bool openCL = false)
      : program(compile(*importText(text, name, openCL))) {}

  Device device;
  Program program;
  LaunchConfig launch;
  RunOptions options;
  RunResult result;

  template <class T> uint64_t array(const std::vector<T>& values, const std::string& name,
                                    bool initialized = true) {
    const uint64_t at = device.memory.allocate(values.size() * sizeof(T), name, sizeof(T), initialized);
    std::memcpy(device.memory.host(at), values.data(), values.size() * sizeof(T));
    return at;
  }
  template <class T> std::vector<T> read(uint64_t at, size_t n) {
    std::vector<T> v(n);
    std::memcpy(v.data(), device.memory.host(at), n * sizeof(T));
    return v;
  }
  template <class T> void arg(unsigned index, T value) {
    setArgument(program, launch, index, &value, sizeof value);
  }
  template <class... T> void args(T... values) {
    unsigned index = 0;
    (arg(index++, values), ...);
  }
  const RunResult& run(uint32_t grid, uint32_t block) { return run({grid, 1, 1}, {block, 1, 1}); }
  const RunResult& run(std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block) {
    launch.grid = grid;
    launch.block = block;
    launch.arguments.resize(program.argumentBytes);
    result = device.run(program, launch, options);
    return result;
  }
  std::string report() const {
    std::string text;
    for (const Finding& f : result.findings) text += format(f) + "\n";
    return text;
  }
};

}  // namespace hone::sim::testing
