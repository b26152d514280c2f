// Every signature of the table, for every type it takes, is a call the compilers accept and whose result has
// the type the table says.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "ir/intrinsics/IntrinsicSignatures.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {
namespace {

namespace fs = std::filesystem;

std::string cudaTypeName(const Type& type) {
  if (type.is(TypeKind::Void)) return "void";
  if (type.is(TypeKind::Bool)) return "bool";
  if (type.is(TypeKind::BFloat)) return "__nv_bfloat16";
  if (type.is(TypeKind::Pointer)) {
    std::string element = cudaTypeName(*type.element);
    return element.empty() ? "" : element + "*";
  }
  if (type.is(TypeKind::Vector)) {
    const Type& e = *type.element;
    if (e.is(TypeKind::BFloat)) return type.lanes == 2 ? "__nv_bfloat162" : "";
    if (e.is(TypeKind::Float) && e.bits == 16) return type.lanes == 2 ? "__half2" : "";
    if (type.lanes > 4 || (type.lanes != 2 && e.bits == 64)) return "";
    std::string base = e.is(TypeKind::Float) ? (e.bits == 32 ? "float" : "double")
                       : e.bits == 64        ? (e.isSigned ? "longlong" : "ulonglong")
                                             : openclTypeName(e);
    return base + std::to_string(type.lanes);
  }
  if (type.is(TypeKind::Float)) return type.bits == 16 ? "__half" : type.bits == 32 ? "float" : "double";
  std::string base = type.bits == 8    ? "char"
                     : type.bits == 16 ? "short"
                     : type.bits == 32 ? "int"
                                       : "long long";
  return (type.isSigned ? type.bits == 8 ? "signed " : "" : "unsigned ") + base;
}

std::string clTypeName(const Type& type, bool isAtomic) {
  if (type.is(TypeKind::Void)) return "void";
  if (type.is(TypeKind::Bool)) return "bool";
  if (type.is(TypeKind::Pointer)) return (isAtomic ? "__global " : "") + openclTypeName(*type.element) + "*";
  return openclTypeName(type);
}

// One function per signature and line, so that an error's line names the signature.
struct Source {
  std::string text;
  std::map<int, std::string> lines;
  int line = 1;
  size_t count = 0;
  void add(const std::string& s) {
    text += s + "\n";
    ++line;
  }
};

std::vector<TypePtr> boundTypes(const IntrinsicName& name) {
  std::vector<TypePtr> scalars, out;
  if (name.set.empty()) return {nullptr};
  for (unsigned bits : {8u, 16u, 32u, 64u})
    for (bool isSigned : {true, false}) scalars.push_back(intType(bits, isSigned));
  for (unsigned bits : {16u, 32u, 64u}) scalars.push_back(floatType(bits));
  scalars.push_back(bfloatType());
  for (const TypePtr& type : scalars) {
    out.push_back(type);
    for (unsigned lanes : {2u, 3u, 4u, 16u}) out.push_back(vectorType(type, lanes));
  }
  return out;
}

// `write` gets a signature and gives a line of source, "" to leave it out.
template <class Write>
void addCalls(Source& source, Language language, Write write) {
  for (const Intrinsic& fn : allIntrinsics()) {
    for (const IntrinsicName& name : fn.names(language)) {
      if (name.name.find('$') != std::string_view::npos) continue;
      for (const TypePtr& bound : boundTypes(name)) {
        IntrinsicSignature s = instantiate(name, bound, Space::Global);
        if (!s.name) continue;
        std::string text = write(fn, s);
        if (text.empty()) continue;
        source.lines[source.line] = std::string(name.name) + (bound ? " of " + str(*bound) : "");
        source.add(text);
        ++source.count;
      }
    }
  }
}

// Lines with errors, by the name they call.
std::set<std::string> errorsOf(const Source& source, const std::string& command, const std::string& suffix) {
  fs::path file = fs::temp_directory_path() / ("hone-intrinsics-" + std::to_string(getpid()) + suffix);
  std::ofstream(file) << source.text;
  std::set<std::string> out;
  FILE* pipe = popen((command + " " + file.string() + " 2>&1").c_str(), "r");
  if (!pipe) return {"cannot run " + command};
  char buffer[4096];
  std::string all;
  while (std::fgets(buffer, sizeof buffer, pipe)) {
    std::string line = buffer;
    all += line;
    size_t at = line.find(suffix);
    if (at == std::string::npos || line.find("error") == std::string::npos) continue;
    int number = std::atoi(line.c_str() + at + suffix.size() + 1);
    auto found = source.lines.find(number);
    out.insert(found == source.lines.end() ? line : found->second);
  }
  if (int status = pclose(pipe); status != 0 && out.empty())
    out.insert("the compiler failed: " + all.substr(0, 2000));
  fs::remove(file);
  return out;
}

std::string joined(const std::set<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += "  " + line + "\n";
  return out;
}

bool exists(const std::string& command) {
  return std::system(("command -v " + command + " >/dev/null 2>&1").c_str()) == 0;
}

TEST(IntrinsicsCompile, OpenCL) {
  if (!exists("clang-22")) GTEST_SKIP() << "no clang-22";
  Source source;
  source.add("#pragma OPENCL EXTENSION cl_khr_fp16 : enable");
  addCalls(source, Language::OpenCL, [&](const Intrinsic& fn, const IntrinsicSignature& s) -> std::string {
    if (fn.id == "cross" && s.params[0]->lanes < 3) return "";
    std::string params, args;
    for (size_t i = 0; i < s.params.size(); ++i) {
      std::string type = clTypeName(*s.params[i], fn.cls == IntrinsicClass::Atomic),
                  arg = "a" + std::to_string(i);
      if (type.empty()) return "";
      params += (i ? ", " : "") + type + " " + arg;
      args += (i ? ", " : "") + arg;
    }
    std::string call = std::string(s.name->name) + "(" + args + ")";
    std::string check;
    if (s.result && !s.result->is(TypeKind::Void))
      check = "_Static_assert(__builtin_types_compatible_p(__typeof__(" + call + "), " +
              clTypeName(*s.result, false) + "), \"result\");";
    return "void f" + std::to_string(source.line) + "(" + (params.empty() ? "void" : params) + ") { " + call +
           "; " + check + " }";
  });
  EXPECT_GT(source.count, 2000u);
  std::set<std::string> bad = errorsOf(
      source,
      "clang-22 -x cl -cl-std=CL3.0 -target spir64 -Xclang -cl-ext=+all -fsyntax-only -ferror-limit=0 -w",
      ".cl");
  EXPECT_TRUE(bad.empty()) << "refused, or of another result type:\n" << joined(bad);
}

// What CUDA 9 and later dropped, what needs constexpr host functions in device code, and what is Clang's
// alone.
bool isBeyondNvcc(std::string_view name) {
  for (std::string_view retired :
       {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__any", "__all", "__ballot"})
    if (name == retired) return true;
  return name == "isnormal" || name == "__signbitd" || name == "__isfinited" ||
         name.starts_with("isgreater") || name.starts_with("isless") || name == "isunordered" ||
         name == "__builtin_expect";
}

// A file that calls every CUDA name whose signature is known, unless `leftOut` says no.
Source cudaCalls(bool (*leftOut)(std::string_view)) {
  Source source;
  for (const char* header :
       {"cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_pipeline_primitives.h", "cuComplex.h", "mma.h"})
    source.add("#include <" + std::string(header) + ">");
  source.add("template <class T> struct Norm { using type = T; };");
  source.add("template <> struct Norm<long> { using type = long long; };");
  source.add("template <> struct Norm<unsigned long> { using type = unsigned long long; };");
  source.add("template <class A, class B> constexpr bool isSame = false;");
  source.add("template <class A> constexpr bool isSame<A, A> = true;");
  source.add("template <class A, class B> constexpr bool same = isSame<typename Norm<A>::type, B>;");
  source.add("template <class T> __device__ T value();");
  addCalls(source, Language::Cuda, [&](const Intrinsic&, const IntrinsicSignature& s) -> std::string {
    if (leftOut(s.name->name)) return "";
    std::string args;
    for (size_t i = 0; i < s.params.size(); ++i) {
      std::string type = cudaTypeName(*s.params[i]);
      if (type.empty()) return "";
      args += (i ? ", value<" : "value<") + type + ">()";
    }
    std::string call = std::string(s.name->name) + "(" + args + ")", check;
    if (s.result) check = "static_assert(same<decltype(" + call + "), " + cudaTypeName(*s.result) + ">);";
    return "__device__ void f" + std::to_string(source.line) + "() { " + call + "; " + check + " }";
  });
  return source;
}

TEST(IntrinsicsCompile, Cuda) {
  const std::string nvcc = exists("nvcc") ? "nvcc" : "/usr/local/cuda/bin/nvcc";
  if (!exists(nvcc)) GTEST_SKIP() << "no nvcc";
  Source source = cudaCalls(isBeyondNvcc);
  EXPECT_GT(source.count, 1500u);
  std::set<std::string> bad = errorsOf(
      source, nvcc + " -std=c++17 -arch=sm_90 -ptx -o /dev/null -w -Xcudafe --error_limit=1000", ".cu");
  EXPECT_TRUE(bad.empty()) << "refused, or of another result type:\n" << joined(bad);
}

// Internal helpers of the toolkit's own headers, which nobody calls without these.
bool isToolkitInternal(std::string_view name) {
  return name.starts_with("__isnan") || name.starts_with("__isinf") || name.starts_with("__finite") ||
         name.starts_with("__signbit") || name == "__isfinited" || name.starts_with("isgreater") ||
         name.starts_with("isless") || name == "isunordered";
}

// The header that serves where no toolkit is installed declares what the table knows.
TEST(IntrinsicsCompile, BuiltInHeader) {
  if (!exists("clang-22")) GTEST_SKIP() << "no clang-22";
  Source source = cudaCalls(isToolkitInternal);
  const std::string include = std::string(HONE_TEST_DIR) + "/../runtime/include";
  std::set<std::string> bad =
      errorsOf(source,
               "clang-22 -x cuda -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_90 -std=c++17 "
               "-fsyntax-only "
               "-ferror-limit=0 -w -isystem " +
                   include + " -isystem " + include + "/cuda_stub -include hone_cuda.h",
               ".cu");
  EXPECT_TRUE(bad.empty()) << "missing in runtime/include, or of another result type:\n" << joined(bad);
}

// The same; Clang's own header gives the sum of signed numbers as an unsigned one.
bool isOtherwiseInClang(std::string_view name) {
  return isToolkitInternal(name) || name == "__reduce_add_sync";
}

// So does Clang with a toolkit's headers and what hone adds to them.
TEST(IntrinsicsCompile, ToolkitHeaders) {
  const std::string toolkit = "/usr/local/cuda";
  if (!exists("clang-22")) GTEST_SKIP() << "no clang-22";
  if (!fs::exists(toolkit + "/include/cublas_v2.h")) GTEST_SKIP() << "no CUDA toolkit";
  Source source = cudaCalls(isOtherwiseInClang);
  const std::string include = std::string(HONE_TEST_DIR) + "/../runtime/include";
  std::set<std::string> bad = errorsOf(
      source,
      "clang-22 -x cuda -nocudalib --cuda-device-only --cuda-gpu-arch=sm_90 -std=c++17 -fsyntax-only "
      "-ferror-limit=0 -w --no-cuda-version-check --cuda-path=" +
          toolkit + " -isystem " + toolkit + "/include/cccl -include cublas_v2.h -include " + include +
          "/hone_cuda_compat.h",
      ".cu");
  EXPECT_TRUE(bad.empty()) << "missing beside the toolkit's headers, or of another result type:\n"
                           << joined(bad);
}

}  // namespace
}  // namespace hone::ir
