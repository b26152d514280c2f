// NVRTC's refusals: errors in the text and in headers by their names and lines, wrong options, wrong name expressions, other architectures,
// no hone; two threads at once; a kernel that cannot run; the host's functions are not the device's unless the program asks.
// RUN: rm -rf %t && mkdir %t && cd %t && %hone build %s -o program -lnvrtc && ./program 2>&1 | FileCheck %s
// RUN: env HONE_EXECUTABLE=%t/none ./program none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: env HONE_EXECUTABLE=false ./program none 2>&1 | FileCheck %s --check-prefix=MUTE
// RUN: %hone build %s -o unlinked && env PATH=/none ./unlinked none 2>&1 | FileCheck %s --check-prefix=NONE
#include <nvrtc.h>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

struct Compiled {
  nvrtcResult status;
  std::string log, ptx;
};

Compiled compile(const char* source, std::vector<const char*> options = {}, std::vector<const char*> names = {}, const char* header = nullptr,
                 const char* name = "made.cu") {
  nvrtcProgram program;
  const char* includeName = "given.h";
  nvrtcCreateProgram(&program, source, name, header != nullptr, &header, &includeName);
  for (const char* one : names) nvrtcAddNameExpression(program, one);
  Compiled out;
  out.status = nvrtcCompileProgram(program, int(options.size()), options.data());
  size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  out.log.resize(size);
  nvrtcGetProgramLog(program, &out.log[0]);
  out.log.pop_back();
  if (nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS) {
    out.ptx.resize(size);
    nvrtcGetPTX(program, &out.ptx[0]);
  }
  nvrtcDestroyProgram(&program);
  return out;
}

void show(const char* what, const Compiled& one) {
  printf("== %s: %s\n%s", what, nvrtcGetErrorString(one.status), one.log.c_str());
  fflush(stdout);
}

int main(int argc, char**) {
  // NONE: hone: NVRTC compiles with hone, and {{.*}} cannot be started (No such file or directory); HONE_EXECUTABLE names it
  // NONE: == good: NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
  // NONE: nvrtc: error: NVRTC compiles with hone
  // MUTE: == good: NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
  // MUTE: nvrtc: error: false ended without an answer to NVRTC
  const char* good = "__global__ void k(int* x) { *x = 1; }";
  show("good", compile(good));
  if (argc > 1) return 0;

  // CHECK-LABEL: == text: NVRTC_ERROR_COMPILATION
  // CHECK-NEXT: made.cu(3): error: use of undeclared identifier 'y'
  // CHECK-NEXT: {{.*}}  *x = y;
  // CHECK-NEXT: {{.*}}^
  // CHECK-NEXT: made.cu(4): error: unknown type name 'floot'
  // CHECK: 2 errors detected in the compilation of "made.cu".
  show("text", compile("__global__ void k(int* x)\n{\n  *x = y;\n}  __device__ floot z;\n"));

  // CHECK-LABEL: == header: NVRTC_ERROR_COMPILATION
  // CHECK-NEXT: given.h(2): error: "no"
  // CHECK-NEXT: 2 | #error "no"
  // CHECK-NEXT: {{\| *\^}}
  // CHECK-NEXT: 1 error detected in the compilation of "default_program".
  show("header", compile("#include \"given.h\"\n", {}, {}, "\n#error \"no\"\n", nullptr));

  // CHECK-LABEL: == no header: NVRTC_ERROR_COMPILATION
  // CHECK-NEXT: made.cu(1): error: needs <nowhere.h>, which was not found{{$}}
  show("no header", compile("#include <nowhere.h>\n"));

  // CHECK-LABEL: == function of the host: NVRTC_ERROR_COMPILATION
  // CHECK-NEXT: made.cu(2): error: no matching function for call to 'f'
  // CHECK: made.cu(1): note: {{.*}} call to __host__ function from __global__ function
  const char* plain = "int f(int x) { return x + 1; }\n__global__ void k(int* x) { *x = f(*x); }\n";
  show("function of the host", compile(plain));
  // CHECK-LABEL: == default device: NVRTC_SUCCESS
  show("default device", compile(plain, {"-default-device"}));
  // CHECK-LABEL: == error in a function of the host: NVRTC_ERROR_COMPILATION
  // CHECK-NEXT: made.cu(1): error: use of undeclared identifier 'y'
  show("error in a function of the host", compile("int f() { return y; }\n"));

  // CHECK-LABEL: == option: NVRTC_ERROR_INVALID_OPTION
  // CHECK-NEXT: nvrtc: error: unrecognized option --no-such-thing found
  show("option", compile(good, {"--no-such-thing"}));
  // CHECK-LABEL: == architecture: NVRTC_ERROR_INVALID_OPTION
  // CHECK-NEXT: nvrtc: error: invalid value for --gpu-architecture (-arch): sm_banana
  show("architecture", compile(good, {"-arch", "sm_banana"}));
  // CHECK-LABEL: == standard: NVRTC_ERROR_INVALID_OPTION
  show("standard", compile(good, {"--std=c++99"}));
  // CHECK-LABEL: == value: NVRTC_ERROR_INVALID_OPTION
  // CHECK-NEXT: nvrtc: error: missing value for option -D
  show("value", compile(good, {"-D"}));

  // CHECK-LABEL: == name: NVRTC_ERROR_COMPILATION
  // CHECK-NEXT: made.cu: error: name expression nothing<int>: use of undeclared identifier 'nothing'
  show("name", compile(good, {}, {"k", "nothing<int>"}));

  // CHECK-LABEL: == empty: NVRTC_SUCCESS
  show("empty", compile(""));

  // CHECK-LABEL: == cannot run: NVRTC_SUCCESS
  // CHECK-NEXT: made.cu({{[0-9]+}}): warning: kernel k cannot run on the embedded device: {{.+}}
  show("cannot run", compile("__device__ int elsewhere(int);\n__global__ void k(int* x) { *x = elsewhere(1); }\n"));

  nvrtcProgram program;
  nvrtcCreateProgram(&program, good, nullptr, 0, nullptr, nullptr);
  const char* const virtualOne[] = {"-arch=compute_80"};
  nvrtcCompileProgram(program, 1, virtualOne);
  size_t size = 1;
  const nvrtcResult status = nvrtcGetCUBINSize(program, &size);
  // CHECK-LABEL: == of compute_80: NVRTC_SUCCESS, 0 bytes
  printf("== of compute_80: %s, %zu bytes\n", nvrtcGetErrorString(status), size);
  nvrtcDestroyProgram(&program);

  Compiled both[2];
  std::thread first([&] { both[0] = compile(good); }), second([&] { both[1] = compile("__global__ void k(int* x) { *x = 1 }"); });
  first.join();
  second.join();
  // CHECK-LABEL: == two at once: NVRTC_SUCCESS, NVRTC_ERROR_COMPILATION
  printf("== two at once: %s, %s\n", nvrtcGetErrorString(both[0].status), nvrtcGetErrorString(both[1].status));
  // CHECK: without a program: NVRTC_ERROR_INVALID_PROGRAM
  printf("without a program: %s\n", nvrtcGetErrorString(nvrtcCompileProgram(nullptr, 0, nullptr)));
}
