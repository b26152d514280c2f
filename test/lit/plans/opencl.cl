// OpenCL: the new kernel beside the original, and what the host must enqueue above it.
// RUN: %hone opt %s --recipe 'block(x=64)' --json %t.json -o %t.cl 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cl
// RUN: %clang_cl %t.cl
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// REMARK: kernel `scale`: rewritten beside the original; where the host enqueues it, call scale_enqueue of {{.*}}.hone.h
// RUN: %hone opt %s --recipe 'block(x=64)' 2>&1 >%t.stdout | FileCheck --check-prefix=STDOUT %s
// STDOUT: kernel `scale`: rewritten beside the original; the comment above the new kernel says how to enqueue it
__kernel void scale(__global float* x, int n, float factor) {
  int i = get_global_id(0);
  if (i < n) x[i] *= factor;
}
// CHECK: __kernel void scale(__global float* x, int n, float factor) {
// CHECK: // scale, optimized by hone for h200.
// CHECK: // Enqueue in place of scale, whose sizes are global and local:
// CHECK: //   where
// CHECK: else scale itself
// CHECK: //   scale_hone
// CHECK: //     local   {64, 1, 1}
// CHECK: //     global  {
// CHECK: //     arguments  x, n, factor
// CHECK: __kernel __attribute__((reqd_work_group_size(64, 1, 1))) void scale_hone(__global float* x, int n,
// JSON: "form": "beside"
// JSON-NEXT: "enqueue_function": "scale_enqueue"
// JSON: "kernel": "scale_hone"
// JSON: "global_size": [
// JSON: "local_size": [
// JSON-NEXT: "64",
// JSON: "condition":
