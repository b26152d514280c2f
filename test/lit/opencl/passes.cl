// What passes write for OpenCL, where coordinates are of type size_t and doubles, halves and vectors are built in, reads back and compiles.
// RUN: %hone opt %s --no-verify --kernel product --recipe 'block(x=16, y=16) stage merge-threads(x=2, y=2) prefetch' -o %t.1.cl 2>&1 | FileCheck --check-prefix=BESIDE %s
// RUN: %hone opt %s --no-verify --kernel product --recipe 'block(x=16, y=4) stage merge-blocks(x=2) remap-blocks' -o %t.2.cl 2>&1 | FileCheck --check-prefix=BESIDE %s
// RUN: %hone opt %s --no-verify --kernel turned --recipe 'block(x=16, y=16) stage' -o %t.3.cl 2>&1 | FileCheck --check-prefix=BESIDE %s
// RUN: %hone opt %s --no-verify --kernel pixels --recipe 'block(x=32) merge-threads(x=2)' -o %t.4.cl 2>&1 | FileCheck --check-prefix=BESIDE %s
// RUN: %hone opt %s --no-verify --kernel pairs --recipe 'block(x=64) vectorize' -o %t.5.cl 2>&1 | FileCheck --check-prefix=BESIDE %s
// RUN: %hone opt %s --no-verify --kernel rows --recipe 'promote' -o %t.6.cl 2>&1 | FileCheck --check-prefix=ENTRY %s
// RUN: %hone opt %s --no-verify --kernel rows --recipe 'promote split-reduction(over=grid)' --reassociate -o %t.7.cl 2>&1 | FileCheck --check-prefix=BESIDE %s
// RUN: %hone opt %s --no-verify --kernel tiled --recipe 'inline(all=1) merge-blocks(x=2)' -o %t.8.cl 2>&1 | FileCheck --check-prefix=BESIDE %s
// RUN: %hone opt %s --no-verify --kernel viewed --recipe 'block(x=64)' -o %t.9.cl 2>&1 | FileCheck --check-prefix=BESIDE %s
// RUN: %hone opt %s --no-verify --kernel product --recipe 'block(x=32, y=32) merge-threads(x=4, y=4, how=adjacent) stage(depth=8)' -o %t.10.cl 2>&1 | FileCheck --check-prefix=SHARED %s
// RUN: FileCheck --check-prefix=LEAN %s < %t.10.cl
// RUN: FileCheck --check-prefix=VIEW %s < %t.9.hone.h
// RUN: %clang_cl %t.1.cl && %clang_cl %t.3.cl && %clang_cl %t.6.cl && %clang_cl %t.7.cl
// RUN: FileCheck --check-prefix=GRID %s < %t.7.hone.h
// BESIDE-NOT: left alone
// BESIDE: rewritten beside the original
// ENTRY-NOT: left alone
// ENTRY: rewritten, its condition tested at entry

// Ids begin at 0 where the launch was asked for that, and cut down to an int they rise with the merged threads: tests of the edge leave the loop.
// SHARED: what they share of a, b is loaded once
// LEAN: where {{.*}}offset[0] == 0 && offset[1] == 0 && w <= global[0]
// LEAN: void product_hone(
// LEAN-NOT: if (
// LEAN: sum[ry][rx] += a_reg * b_reg[rx];
// LEAN: if ((int)(get_group_id(0) * kTileX + get_local_id(0) * kPerX) < w &&
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__kernel void product(__global const double* a, __global const double* b, __global double* c, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < w) {
    double sum = 0;
    for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
    c[y * w + x] = sum;
  }
}

__kernel void turned(__global const half* a, __global half* c, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) c[x * h + y] = a[y * w + x] + (half)1.0f;
}

__kernel void pixels(__global const uchar4* a, __global float4* c, float4 scale, int w) {
  int x = get_global_id(0);
  if (x > 0 && x < w - 1) c[x] = convert_float4(a[x - 1]) + convert_float4(a[x + 1]) * scale;
}

__kernel void pairs(__global short* a, int n) {
  int x = get_global_id(0);
  if (x < n) {
    short t = a[2 * x];
    a[2 * x] = a[2 * x + 1];
    a[2 * x + 1] = t;
  }
}

// Temporary memory, which the host makes; several steps.
// GRID: static inline cl_int rows_enqueue(cl_command_queue queue, cl_program program, cl_uint dims,
// GRID: cl_mem y, cl_int w, cl_int h)
// GRID: hone_apart(
// GRID: cl_mem [[PARTS:[a-z_]+]] =
// GRID-NEXT: hone_buffer(&call, (size_t)
// GRID: hone_kernel(&call, "rows_hone_1")
// GRID: hone_arg(&call, kernel, 4, sizeof([[PARTS]]), &[[PARTS]]);
// GRID: hone_kernel(&call, "rows_hone_2")
__kernel void rows(__global const double* a, __global double* y, int w, int h) {
  int i = get_global_id(0);
  if (i < h) {
    for (int j = 0; j < w; ++j) y[i] += a[i * w + j];
  }
}

float twice(float x) { return 2 * x; }

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void tiled(__global const float* a, __global float* b, int n) {
  __local float tile[64];
  int t = get_local_id(0), x = get_global_id(0);
  tile[t] = x < n ? a[x] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < n) b[x] = twice(tile[63 - t]);
}

// Structs go by address, local memory by its bytes; a kernel that hone leaves alone has a function too.
// GRID: static inline cl_int shifted_enqueue(
// GRID: const void* s, size_t line, cl_float4 by, cl_ulong n)
// GRID: hone_arg(&call, kernel, 1, 12, s);
// GRID-NEXT: hone_arg(&call, kernel, 2, line, NULL);
// GRID-NEXT: hone_arg(&call, kernel, 3, sizeof(by), &by);
struct Shift {
  int a, b, c;
};
__kernel void shifted(__global float4* a, struct Shift s, __local float4* line, float4 by, ulong n) {
  size_t x = get_global_id(0);
  line[get_local_id(0)] = by * s.c;
  if (x < n) a[x + s.b] += line[get_local_id(0)];
}

// A condition reads a field, and names that mean something on the host step aside.
// VIEW: static inline cl_int viewed_enqueue(cl_command_queue queue_2,
// VIEW: cl_uchar class_2, cl_uint queue, const void* v)
// VIEW: call.offset[0] == 0 &&
// VIEW-NEXT: (*(const cl_int*)((const char*)v + 8)) <= (long long)call.global[0]
// VIEW: hone_arg(&call, kernel, 3, 16, v);
struct Size {
  char tag;
  int h, w;
};
struct View {
  struct Size size;
  float factor;
};
__kernel void viewed(__global float* a, uchar class, uint queue, struct View v) {
  int x = get_global_id(0);
  if (x < v.size.w) a[x] *= v.factor * class + queue;
}
