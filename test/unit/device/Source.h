// Kernels for tests, from source text.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "device/Case.h"
#include "frontend/Import.h"

namespace hone::device {

inline frontend::ImportResult importText(const std::string& text, const std::string& name = "test.cu") {
  frontend::SourceRequest request;
  request.path = name;
  request.contents = text;
  request.cudaPath = "none";
  request.headers = frontend::CudaHeaders::BuiltIn;
  frontend::ImportResult result = frontend::importFile(request);
  EXPECT_TRUE(result.parsed) << result.failure;
  for (const frontend::ImportedKernel& kernel : result.kernels) EXPECT_TRUE(kernel.kernel) << kernel.reason;
  return result;
}

inline ir::KernelPtr kernelOf(const std::string& text, const std::string& name = "test.cu") {
  frontend::ImportResult result = importText(text, name);
  EXPECT_EQ(result.kernels.size(), 1u);
  return result.kernels.at(0).kernel;
}

// A folder of one test's own that goes away with it.
class Folder {
 public:
  Folder() : path(std::filesystem::temp_directory_path() / ("hone-device-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const std::string& name, const std::string& text) const {
    std::string file = (path / name).string();
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  std::string of(const std::string& name) const { return (path / name).string(); }

 private:
  std::filesystem::path path;
};

}  // namespace hone::device
