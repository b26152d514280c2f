// The headers that every program begins with are precompiled when the same flags come up again; where that does not serve, they are read as before.
// RUN: rm -rf %t.cache
// RUN: env XDG_CACHE_HOME=%t.cache %hone build -v %s -o %t.first 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: env XDG_CACHE_HOME=%t.cache %hone build -v %s -o %t.second 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: env XDG_CACHE_HOME=%t.cache %hone build -v %s -o %t.third 2>&1 | FileCheck %s --check-prefix=THIRD
// RUN: %t.third | FileCheck %s --check-prefix=RUNS
// RUN: sh -c 'for f in %t.cache/hone/host-*.pch; do echo "no header" > $f; done'
// RUN: env XDG_CACHE_HOME=%t.cache %hone build -v %s -o %t.fourth 2>&1 | FileCheck %s --check-prefix=FOURTH
// RUN: %t.fourth | FileCheck %s --check-prefix=RUNS
// RUN: env XDG_CACHE_HOME=%t.cache %hone build -v -include vector %s -o %t.fifth 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: env XDG_CACHE_HOME=%t.cache %hone build -v -include vector %s -o %t.sixth 2>&1 | FileCheck %s --check-prefix=FIRST

// FIRST-NOT: pch
// FIRST: -include {{.*}}hone_cuda.h -include {{.*}}host.h
// FIRST-NOT: pch
// SECOND: -emit-pch
// SECOND: -include-pch
// THIRD-NOT: -emit-pch
// THIRD: -include-pch
// THIRD-NOT: hone_cuda.h
// FOURTH: -include-pch
// FOURTH: -include {{.*}}hone_cuda.h -include {{.*}}host.h
// RUNS: 3
#include <cstdio>

__global__ void three(int* out) { *out = 3; }

int main() {
  int* out;
  cudaMallocManaged(&out, sizeof *out);
  three<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  std::printf("%d\n", *out);
}
