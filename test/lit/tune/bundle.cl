// A bundle is made here, worked through by the worker alone, ended in the middle, taken up again, and its results come back.
// REQUIRES: pocl
// RUN: rm -rf %t && mkdir -p %t
// RUN: %hone tune %s --set n=5000 --bundle %t/b --budget 3 --no-store 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: test -x %t/b/run && test -f %t/b/worker/include/nlohmann/json.hpp && test -f %t/b/worker/src/worker/CMakeLists.txt
// RUN: not %hone tune %s --set n=5000 --ingest %t/b --no-store -o %t/out.cl 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: %hone-worker --bundle %t/b/jobs.jsonl %t/b/results.jsonl 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: head -n 3 %t/b/results.jsonl > %t/cut && head -c 40 %t/b/results.jsonl >> %t/cut && mv %t/cut %t/b/results.jsonl
// RUN: %hone-worker --bundle %t/b/jobs.jsonl %t/b/results.jsonl 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: %hone tune %s --set n=5000 --ingest %t/b --store %t/store.db -o %t/out.cl 2>&1 | FileCheck %s --check-prefix=BACK
// RUN: %hone tune %s --set n=6000 --ingest %t/b --no-store -o %t/out.cl 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not %hone tune %s --set n=5000 --bundle %t/b 2>&1 | FileCheck %s --check-prefix=TWICE

// MADE: blur: 3 variants at n=5000
// EARLY: run ./run on a machine with a GPU first
// DONE: 1/4 blur (the original): ok
// DONE: 4 measured, 0 known
// AGAIN: 3 measured, 1 known
// BACK: blur on {{.*}}, n=5000
// BACK: 3 variants measured; ended after the bundle's end
// OTHER: the bundle has no results for it at n=6000
// TWICE: holds something already
__kernel void blur(__global const float* restrict a, __global float* restrict b, int n) {
  int i = get_global_id(0);
  if (i >= 1 && i < n - 1) b[i] = a[i - 1] + a[i] + a[i + 1];
}
