#include "cli/programs/ExplainBuild.h"

#include <fmt/core.h>

#include <set>
#include <sstream>
#include <utility>

namespace hone::cli {

std::string explainCompile(const std::string& output) {
  static const std::pair<const char*, const char*> libraries[] = {
      {"thrust/", "thrust"},    {"cub/", "cub"},      {"cuda/", "libcu++"},    {"cublas", "cuBLAS"},
      {"cusparse", "cuSPARSE"}, {"cufft", "cuFFT"},   {"curand", "cuRAND"},    {"cusolver", "cuSOLVER"},
      {"npp", "NPP"},           {"cudnn", "cuDNN"},   {"cutlass/", "CUTLASS"}, {"nvgraph", "nvGRAPH"},
      {"nvToolsExt", "NVTX"},   {"mpi.h", "MPI"},     {"GL/", "OpenGL"},       {"nvml", "NVML"},
      {"nccl", "NCCL"},         {"nvjpeg", "nvJPEG"}, {"cudaEGL", "EGL"}};
  const size_t end = output.find("' file not found");
  const size_t begin = end == std::string::npos ? std::string::npos : output.rfind('\'', end - 1);
  if (begin == std::string::npos) return output;
  const std::string header = output.substr(begin + 1, end - begin - 1);
  for (const auto& [prefix, library] : libraries)
    if (header.starts_with(prefix))
      return fmt::format("the program needs {} ({}), which hone does not provide on the embedded device\n{}",
                         library, header, output);
  return output;
}

std::string explainLink(const std::string& output) {
  std::set<std::string> missing;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (const size_t at = line.find("undefined symbol: "); at != std::string::npos)
      missing.insert(line.substr(at + 18));
  if (missing.empty()) return output;
  std::string text;
  bool fromCuda = false;
  for (const std::string& m : missing) {
    text += "  " + m + "\n";
    fromCuda |=
        m.starts_with("cu") || m.starts_with("nvrtc") || m.starts_with("nppi") || m.starts_with("__cuda");
  }
  return (fromCuda ? "the program uses functions that hone's CUDA runtime does not have:\n"
                   : "the program uses what no file or library given defines:\n") +
         text;
}

}  // namespace hone::cli
