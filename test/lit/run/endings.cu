// What was found is said however the program ends, with an exit status that shows it; forked processes say what is theirs.
// RUN: rm -rf %t && mkdir %t && %hone build %s -o %t/a
// RUN: sh -c '%t/a exit; test $? -eq 1' 2>&1 | FileCheck %s
// RUN: sh -c '%t/a _exit; test $? -eq 1' 2>&1 | FileCheck %s
// RUN: sh -c '%t/a _Exit; test $? -eq 1' 2>&1 | FileCheck %s
// RUN: sh -c '%t/a quick_exit; test $? -eq 1' 2>&1 | FileCheck %s
// RUN: sh -c '%t/a abort; test $? -eq 134' 2>&1 | FileCheck %s
// RUN: sh -c '%t/a throw; test $? -eq 134' 2>&1 | FileCheck %s
// RUN: sh -c '%t/a fault; test $? -eq 139' 2>&1 | FileCheck %s
// RUN: sh -c '%t/a recursion; test $? -eq 139' 2>&1 | FileCheck %s
// RUN: sh -c '%t/a division; test $? -eq 136' 2>&1 | FileCheck %s
// RUN: sh -c '%t/a terminate; test $? -eq 143' 2>&1 | FileCheck %s
// RUN: sh -c '%t/a user; test $? -eq 138' 2>&1 | FileCheck %s
// RUN: sh -c '%t/a fork; test $? -eq 1' 2>&1 | FileCheck %s
// CHECK-NOT: error
// CHECK: endings.cu:[[#@LINE+9]]: error: out of bounds in global memory
// CHECK-NEXT: hone: 1 finding, seen 1 time
// CHECK-NOT: error

// Who handles a signal, or wants no findings, has it so.
// RUN: sh -c '%t/a own; test $? -eq 1' 2>&1 | FileCheck %s
// RUN: sh -c 'HONE_RUN_FAIL_ON= HONE_RUN_QUIET=1 %t/a _exit' 2>&1 | FileCheck --allow-empty --check-prefix=QUIET %s
// QUIET-NOT: {{.}}
__global__ void beyond(int* a) {
  a[8] = 1;
}

// The file of findings has them, too; what is compared by hone verify comes from there.
// RUN: sh -c 'HONE_RUN_JSON=%t/abort.json %t/a abort; test $? -eq 134' 2> %t/err && FileCheck --check-prefix=JSON %s < %t/abort.json
// JSON: "kind": "out-of-bounds"
// JSON: "launches": 1

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

volatile int zero = 0;
int deeper(volatile char* from) {
  volatile char here[1024];
  here[0] = from[0];
  return deeper(here) + here[0];
}

int main(int, char** argv) {
  const char* const how = argv[1];
  const auto is = [&](const char* word) { return std::strcmp(how, word) == 0; };
  if (is("own")) std::signal(SIGTERM, [](int) { std::exit(0); });
  int* a;
  cudaMalloc(&a, 32);
  beyond<<<1, 1>>>(a);
  cudaDeviceSynchronize();
  if (is("_exit")) _exit(0);
  if (is("_Exit")) std::_Exit(0);
  if (is("quick_exit")) std::quick_exit(0);
  if (is("abort")) std::abort();
  if (is("throw")) throw 1;
  if (is("fault")) *reinterpret_cast<volatile int*>(8) = 1;
  char first = 1;
  if (is("recursion")) return deeper(&first);
  if (is("division")) std::raise(SIGFPE);
  if (is("terminate") || is("own")) kill(getpid(), SIGTERM);
  if (is("user")) kill(getpid(), SIGUSR1);
  if (is("fork"))
    for (int k = 0; k < 3; ++k) {
      const pid_t child = fork();
      if (child == 0) {
        if (k == 0) _exit(3);
        if (k == 1) std::exit(3);
        std::abort();
      }
      int status = 0;
      waitpid(child, &status, 0);
      if (k < 2 ? !WIFEXITED(status) || WEXITSTATUS(status) != 3 : !WIFSIGNALED(status)) return 7;
    }
  return 0;
}
