// The memory model of a kernel given as text, and short ways to ask it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "affine/Evaluate.h"
#include "affine/KernelModel.h"
#include "frontend/Import.h"

namespace hone::affine {

// The first kernel of a CUDA source, of OpenCL C where `isOpenCL`.
inline ir::KernelPtr kernelOf(const std::string& text, bool isOpenCL = false) {
  frontend::SourceRequest request;
  request.path = isOpenCL ? "/hone-test/k.cl" : "/hone-test/k.cu";
  request.contents = text;
  request.headers = frontend::CudaHeaders::BuiltIn;
  request.useCache = false;
  const frontend::ImportResult result = frontend::importFile(request);
  for (const frontend::ImportedKernel& k : result.kernels) {
    if (k.isUninstantiated) continue;
    EXPECT_TRUE(k.kernel) << k.reason;
    return k.kernel;
  }
  ADD_FAILURE() << "no kernel\n" << result.failure << result.renderedDiagnostics;
  return nullptr;
}

// A kernel with these parameters for each body, all read as one CUDA source; fewer where one is not taken in.
inline std::vector<ir::KernelPtr> kernelsOf(const std::string& params,
                                            const std::vector<std::string>& bodies) {
  std::string source;
  for (size_t i = 0; i < bodies.size(); ++i)
    source += "__global__ void k" + std::to_string(i) + params + " {\n" + bodies[i] + "\n}\n";
  frontend::SourceRequest request;
  request.path = "/hone-test/k.cu";
  request.contents = source;
  request.headers = frontend::CudaHeaders::BuiltIn;
  request.useCache = false;
  const frontend::ImportResult result = frontend::importFile(request);
  EXPECT_EQ(result.kernels.size(), bodies.size()) << result.failure << result.renderedDiagnostics;
  std::vector<ir::KernelPtr> kernels;
  for (const frontend::ImportedKernel& k : result.kernels) {
    EXPECT_TRUE(k.kernel) << k.name << ": " << k.reason;
    if (k.kernel) kernels.push_back(k.kernel);
  }
  return kernels;
}

inline KernelModel modelOf(const std::string& text, const std::array<unsigned, 3>& block = {256, 1, 1},
                           bool isOpenCL = false) {
  const ir::KernelPtr kernel = kernelOf(text, isOpenCL);
  return kernel ? buildModel(kernel, block) : KernelModel{};
}

// "blockIdx.x*1024 + threadIdx.x*4 where … in i" of an access, with what it is not exact for.
inline std::string describe(const KernelModel& model, const Access& access) {
  std::string out = model.atoms->str(access.address);
  if (access.guard->kind != CondKind::True) out += " where " + model.atoms->str(access.guard);
  if (!access.reason.empty()) out += " (" + access.reason + ")";
  return out;
}

inline std::string describe(const KernelModel& model, const std::string& handle) {
  const Access* access = model.find(handle);
  return access ? describe(model, *access) : "no access " + handle;
}

}  // namespace hone::affine
