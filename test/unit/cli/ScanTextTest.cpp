#include "cli/inputs/ScanText.h"

#include <gtest/gtest.h>

using hone::cli::scanText;

namespace {

std::string names(const std::vector<hone::cli::TextKernel>& kernels) {
  std::string out;
  for (const auto& kernel : kernels)
    out += kernel.name + ":" + std::to_string(kernel.line) + (kernel.isOpenCL ? "cl " : " ");
  return out;
}

TEST(ScanText, FindsDefinitionsInCode) {
  EXPECT_EQ(
      names(scanText("__global__ void a(int* x) { }\n"
                     "template <class T>\n__global__ void __launch_bounds__(64, 2)\nb(T* x)\n{}\n"
                     "__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void c(__global int* x) {}\n"
                     "kernel void d(global int* x) {}\n")
                .inCode),
      "a:1 b:3 c:6cl d:7cl ");
}

TEST(ScanText, LeavesOutDeclarationsCommentsAndOtherWords) {
  EXPECT_EQ(names(scanText("__global__ void a(int* x);\n"
                           "// __global__ void b() {}\n"
                           "/* __global__ void c() {} */\n"
                           "template __global__ void d<int>(int*);\n"
                           "int kernel = 3; void f(int kernel) {}\n"
                           "#define GLOBAL __global__\n"
                           "char quote = '\"'; __global__ void e() {}\n")
                      .inCode),
            "e:7 ");
}

TEST(ScanText, FindsKernelsInStrings) {
  auto scan = scanText(
      "const char* a =\n  \"__kernel void one(__global int* x)\\n\"\n  \"{ x[0] = 1; }\\n\";\n"
      "auto b = R\"cl(\n__kernel void two(__global int* x) {}\n// __kernel void no() {}\n)cl\";\n"
      "const char* c = \"the kernel void of meaning\";\n");
  EXPECT_EQ(names(scan.inStrings), "one:2cl two:4cl ");
  EXPECT_TRUE(scan.inCode.empty());
}

TEST(ScanText, SurvivesBrokenText) {
  for (const char* text :
       {"\"", "'", "R\"(", "R\"", "/*", "//\\", "__global__", "__global__ void f", "__global__ void f(",
        "__kernel void f(int x) ", "\"\\", "'\\", "__global__ __launch_bounds__("})
    EXPECT_TRUE(scanText(text).inCode.empty()) << text;
}

}  // namespace
