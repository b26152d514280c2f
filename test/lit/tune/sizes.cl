// Several sizes by way of a bundle, and on a real device; the dispatch stands in the header for hosts too.
// REQUIRES: pocl
// RUN: rm -rf %t && mkdir -p %t
// RUN: %hone tune %s --sizes 'h=16,2000; w=h' --bundle %t/b --budget 4 --no-store 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: grep '"do":"case"' %t/b/jobs.jsonl | wc -l | FileCheck %s --check-prefix=CASES
// RUN: %python %S/Inputs/fake_sizes.py 1000 2000 < %t/b/jobs.jsonl > %t/said
// RUN: %python %S/Inputs/as_results.py %t/b/jobs.jsonl %t/said > %t/b/results.jsonl
// RUN: %hone tune %s --sizes 'h=16,2000; w=h' --ingest %t/b --store %t/s.db -o %t/out.cl 2>&1 | FileCheck %s --check-prefix=BACK
// RUN: FileCheck %s --check-prefix=TEXT < %t/out.cl
// RUN: FileCheck %s --check-prefix=HOST < %t/out.hone.h
// RUN: %hone tune %s --sizes 'h=16,3000; w=h' --ingest %t/b --no-store -o %t/other.cl 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %hone tune %s --device opencl --sizes 'h=64,256; w=h' --budget 2 --no-store -o %t/real.cl 2>&1 | FileCheck %s --check-prefix=REAL

// MADE: turn: {{[0-9]+}} variants at h=16 w=16
// MADE: turn: {{[0-9]+}} variants at h=2000 w=2000
// CASES: 2
// BACK: h=16 w=16 10.00 ±0.0 % the original
// BACK: h=2000 w=2000 10.00 ±0.0 % optimized
// BACK: class the original, h * w <= 32000: as it is
// BACK: class optimized, h * w > 32000:
// TEXT: where {{.*}}h * w > 32000
// TEXT: __kernel {{.*}}void turn_hone
// HOST: if ((long long)h * w <= 32000)
// OTHER: the bundle has no results for it at h=3000 w=3000
// REAL: turn on {{.*}} at 2 sizes
__kernel void turn(__global const float* restrict a, __global float* restrict b, int h, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) b[x * h + y] = a[y * w + x];
}
