#include "frontend/ClangArguments.h"

#include "clang/Basic/OffloadArch.h"
#include "llvm/ADT/StringRef.h"

#include <initializer_list>

namespace hone::frontend {
namespace {

void append(std::vector<std::string>& to, std::initializer_list<std::string> words) {
  to.insert(to.end(), words.begin(), words.end());
}

void appendCommon(std::vector<std::string>& to) {
  append(to, {"-fsyntax-only", "-Wno-everything", "-ferror-limit=0", "-fno-delayed-template-parsing",
              "-resource-dir", resourceDirectory()});
  // Code of ours that looks at the tree can do without, and readers of our messages want them plain.
  append(to, {"-fno-color-diagnostics", "-fno-spell-checking"});
}

/// The C++ standard to parse with: as given, but no older than the headers need.
std::string chooseStandard(const std::string& given) {
  for (const char* family : {"c++", "gnu++"}) {
    if (given.compare(0, std::char_traits<char>::length(family), family) != 0) continue;
    std::string year = given.substr(std::char_traits<char>::length(family));
    bool isOld = year == "98" || year == "03" || year == "0x" || year == "11";
    return isOld ? std::string(family) + "14" : given;
  }
  return defaultCxxStandard;
}

}  // namespace

std::string chooseArch(const CompilerFlags& flags) {
  std::string arch = flags.arch;
  while (!arch.empty() && clang::StringToOffloadArch(arch) == clang::OffloadArch::UNKNOWN) {
    char last = arch.back();
    if (last != 'a' && last != 'f') return defaultArch;
    arch.pop_back();
  }
  return arch.empty() ? defaultArch : arch;
}

std::vector<std::string> cudaArguments(const CompilerFlags& flags, const std::optional<CudaToolkit>& toolkit,
                                       CudaPass pass) {
  std::vector<std::string> out;
  append(out, {"-x", "cuda", pass == CudaPass::Device ? "--cuda-device-only" : "--cuda-host-only",
               "--cuda-gpu-arch=" + chooseArch(flags), "--no-cuda-version-check", "-nocudalib"});
  appendCommon(out);
  // Device code may launch kernels; Clang accepts that only so.
  append(out, {"-fgpu-rdc"});
  // A plain char is signed on the device, on every host.
  append(out, {"-fsigned-char"});
  append(out, {"-std=" + chooseStandard(flags.standard)});

  std::string ours = honeIncludeDirectory();
  if (toolkit)
    append(out, {"--cuda-path=" + toolkit->root});
  else
    append(out, {"-nocudainc", "-D__NVCC__=1", "-include", ours + "/hone_cuda.h"});
  for (std::size_t i = 0; i < flags.forClang.size(); ++i) {
    const std::string& flag = flags.forClang[i];
    // A toolkit's own folder, named by the user, must not come before the headers chosen here.
    if (flag.compare(0, 2, "-I") == 0 && isCudaIncludeDirectory(flag.substr(2))) continue;
    if (flag == "-isystem" && i + 1 < flags.forClang.size() &&
        isCudaIncludeDirectory(flags.forClang[i + 1])) {
      ++i;
      continue;
    }
    out.push_back(flag);
  }
  if (toolkit)
    append(out, {"-isystem", ours + "/cuda_own", "-isystem", toolkit->root + "/include/cccl", "-include",
                 ours + "/hone_cuda_compat.h"});
  else
    append(out, {"-isystem", ours + "/cuda_stub"});
  // After everything else: headers that the toolkit or the host may lack.
  append(out, {"-idirafter", ours + "/cuda_removed"});
  // hone.h, where the user's flags do not lead to it.
  append(out, {"-idirafter", ours});
  return out;
}

void addImplicitHeaders(std::vector<std::string>& arguments) {
  append(arguments, {"-include", honeIncludeDirectory() + "/hone_cuda/standard.h"});
}

std::vector<std::string> accArguments(const CompilerFlags& flags, bool isCpp) {
  std::vector<std::string> out;
  append(out, {"-x", isCpp ? "c++" : "c", "-fopenacc", "-U_OPENACC", "-D_OPENACC=202211"});
  appendCommon(out);
  append(out, {"-Wopenacc"});
  if (!flags.standard.empty()) append(out, {"-std=" + flags.standard});
  out.insert(out.end(), flags.forClang.begin(), flags.forClang.end());
  append(out, {"-idirafter", honeIncludeDirectory() + "/acc"});           // openacc.h
  append(out, {"-idirafter", honeIncludeDirectory() + "/cuda_removed"});  // omp.h, which the host may lack
  return out;
}

std::vector<std::string> openclArguments(const CompilerFlags& flags, const std::string& standard) {
  std::vector<std::string> out;
  append(out, {"-x", "cl", "-target", "spir64", "-cl-std=" + standard, "-cl-kernel-arg-info"});
  appendCommon(out);
  out.insert(out.end(), flags.forClang.begin(), flags.forClang.end());
  append(out, {"-idirafter", honeIncludeDirectory()});  // hone.clh
  return out;
}

}  // namespace hone::frontend
