// The patterns of the eleven kernels that a study of caching by hand went through; A, B or both of the product are three of them.
// RUN: %hone opt %s --recipe 'unstage' --block 64 --kernel search --kernel distances -o %t.1.cl
// RUN: FileCheck --check-prefix=ROW %s < %t.1.cl
// RUN: %clang_cl %t.1.cl
// RUN: %hone opt %s --recipe 'unstage' -o %t.2.cl 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck %s < %t.2.cl
// RUN: %clang_cl %t.2.cl
// RUN: %hone opt %s --recipe 'unstage(As)' --kernel product -o - 2>&1 | FileCheck --check-prefix=A %s
// RUN: %hone opt %s --recipe 'unstage(Bs)' --kernel product -o - 2>&1 | FileCheck --check-prefix=B %s
// RUN: %hone verify %s --recipe 'unstage' --grid 3x2 --set w=45 --set h=29 --kernel turnFlat | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unstage' --grid 3x2 --set w=45 --set h=29 --kernel turnFours | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unstage' --grid 3x2 --set w=45 --set h=29 --kernel turnRows | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unstage' --exact --grid 3x2 --set wa=24 --kernel productOfRows | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unstage' --exact --grid 3x2 --set wA=48 --set wB=48 --kernel product | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unstage' --exact --grid 3 --set tiles=3 --set soft=1 --kernel bodies | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unstage' --grid 2x3 --set nx=45 --set ny=11 --set nz=5 --exact --kernel planes | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unstage' --block 64 --grid 3 --set num=150 --set dim=9 --set x=7 --exact --kernel distances | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unstage' --block 64 --grid 3 --set n=150 --set length=9 --exact --kernel search | FileCheck --check-prefix=SAME %s
// SAME: equal in
// SAID: kernel `turnFlat`: block is read from where it was filled from: in; 1 barrier less
// SAID: kernel `turnFours`: block is read from where it was filled from: in; 1 barrier less
// SAID: kernel `productOfRows`: rows is read from where it was filled from: a; 2 barriers less
// SAID: kernel `turnRows`: block is read from where it was filled from: in; 1 barrier less
// SAID: kernel `product`: As is read from where it was filled from: A
// SAID: kernel `product`: Bs is read from where it was filled from: B; 2 barriers less
// SAID: kernel `bodies`: near is read from where it was filled from: pos; 2 barriers less
// SAID: kernel `planes`: near is read from where it was filled from: in; 2 barriers less
// A: As is read from where it was filled from: A{{$}}
// A: __local float Bs
// B: Bs is read from where it was filled from: B{{$}}
// B: __local float As
#define S 16

// ROW: search_hone
// ROW: == pattern[i]
__kernel void search(__global const uchar* restrict text, __global const uchar* restrict pattern,
                     __global int* restrict found, int length, int n, __local uchar* mine) {
  int lx = get_local_id(0);
  for (int i = lx; i < length; i += get_local_size(0)) mine[i] = pattern[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int at = get_global_id(0);
  if (at + length > n) return;
  int same = 0;
  for (int i = 0; i < length; ++i) same += text[at + i] == mine[i];
  found[at] = same == length;
}

// CHECK: turnFlat_hone
// CHECK-NOT: barrier
// CHECK: out[y * h + x] = in[
__kernel __attribute__((reqd_work_group_size(S, S, 1)))
void turnFlat(__global const float* restrict in, __global float* restrict out, int w, int h, __local float* block) {
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) block[ly * (S + 1) + lx] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * S + lx;
  y = get_group_id(0) * S + ly;
  if (x < h && y < w) out[y * h + x] = block[lx * (S + 1) + ly];
}

// Written and read at the same place, with the clamps of the fill.
// CHECK: turnFours_hone
// CHECK-NOT: barrier
// CHECK: out[x * h + y] = in[
__kernel __attribute__((reqd_work_group_size(S, S, 1)))
void turnFours(__global const float4* restrict in, __global float4* restrict out, int w, int h) {
  __local float4 block[S * S];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_global_id(0), y = get_global_id(1);
  block[ly * S + lx] = in[min(y, h - 1) * w + min(x, w - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < w && y < h) out[x * h + y] = block[ly * S + lx];
}

// CHECK: productOfRows_hone
// CHECK-NOT: barrier
// CHECK: float4 one = a[
__kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void productOfRows(__global const float4* restrict a, __global const float4* restrict b, __global float4* restrict c,
                   int wa, __local float4* rows) {
  int lx = get_local_id(0), ly = get_local_id(1);
  int gx = get_global_id(0), gy = get_global_id(1), wide = get_global_size(0);
  float4 sum = (float4)(0.0f);
  for (int i = 0; i < wa / 8; ++i) {
    rows[lx + ly * 8] = a[gy * wa + i * 8 + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 8; ++j) {
      float4 one = rows[j + ly * 8];
      sum += one * b[(i * 8 + j) * wide + gx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[gy * wide + gx] = sum;
}

__kernel __attribute__((reqd_work_group_size(S, S, 1)))
void turnRows(__global const float* restrict in, __global float* restrict out, int w, int h) {
  __local float block[S][S + 1];
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) block[get_local_id(1)][get_local_id(0)] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * S + get_local_id(0);
  y = get_group_id(0) * S + get_local_id(1);
  if (x < h && y < w) out[y * h + x] = block[get_local_id(0)][get_local_id(1)];
}

__kernel __attribute__((reqd_work_group_size(S, S, 1)))
void product(__global const float* restrict A, __global const float* restrict B, __global float* restrict C, int wA,
             int wB) {
  __local float As[S][S], Bs[S][S];
  int bx = get_group_id(0), by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
  int aBegin = wA * S * by, aEnd = aBegin + wA - 1, aStep = S;
  int bBegin = S * bx, bStep = S * wB;
  float sum = 0.0f;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < S; ++k) sum += As[ty][k] * Bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}

// CHECK: bodies_hone
// CHECK-NOT: barrier
// CHECK: = pos[{{.*}}64{{.*}}];
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void bodies(__global const float4* restrict pos, __global float4* restrict force, int tiles, float soft) {
  __local float4 near[64];
  float4 mine = pos[get_global_id(0)], sum = (float4)(0.0f);
  for (int i = 0; i < tiles; ++i) {
    near[get_local_id(0)] = pos[i * 64 + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 64; ++j) {
      float4 other = near[j];
      float4 d = other - mine;
      float r = d.x * d.x + d.y * d.y + d.z * d.z + soft;
      sum += d * (other.w / (r * sqrt(r)));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  force[get_global_id(0)] = sum;
}

__kernel __attribute__((reqd_work_group_size(32, 4, 1)))
void planes(__global const float* restrict in, __global float* restrict out, int nx, int ny, int nz) {
  __local float near[4][32];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_group_id(0) * 32 + lx, y = get_group_id(1) * 4 + ly;
  if (x >= nx || y >= ny) x = nx - 1, y = ny - 1;
  for (int k = 1; k < nz - 1; ++k) {
    near[ly][lx] = in[(k * ny + min((int)get_group_id(1) * 4 + ly, ny - 1)) * nx + min((int)get_group_id(0) * 32 + lx, nx - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float left = lx > 0 ? near[ly][lx - 1] : 0.0f, up = ly > 0 ? near[ly - 1][lx] : 0.0f;
    out[(k * ny + y) * nx + x] = near[ly][lx] + left + up;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// ROW: distances_hone
// ROW: coord[num * i + x]
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void distances(__global const float* restrict coord, __global float* restrict far, int num, int dim, int x,
               __local float* center) {
  int id = get_global_id(0);
  for (int i = get_local_id(0); i < dim; i += 64) center[i] = coord[i * num + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id >= num) return;
  float sum = 0.0f;
  for (int i = 0; i < dim; ++i) sum += (coord[i * num + id] - center[i]) * (coord[i * num + id] - center[i]);
  far[id] = sum;
}
