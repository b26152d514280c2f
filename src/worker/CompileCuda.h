// CUDA source to machine code with NVRTC. Needs no GPU.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hone::worker {

struct CudaImage {
  std::vector<uint8_t> cubin;
  std::map<std::string, std::string> symbols;  // kernel as the source calls it: name in the image
  double milliseconds = 0;
};

// `compute`: "9.0". Throws BuildError with the compiler's own words.
CudaImage compileCuda(const std::string& source, const std::vector<std::string>& flags,
                      const std::string& compute, const std::vector<std::string>& kernels);

std::string nvrtcVersion();  // "13.0"; empty where NVRTC is absent

}  // namespace hone::worker
