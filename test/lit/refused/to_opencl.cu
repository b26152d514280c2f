// Imported from CUDA, but not to be said in OpenCL.
// RUN: not %hone opt %s --recipe '' --emit opencl 2>&1 | FileCheck %s --implicit-check-not=': emitted as'
// RUN: not %hone opt %s --recipe '' --emit cuda --kernel readsElsewhere 2>&1 | FileCheck %s --check-prefix=SAME
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cassert>

// CHECK: :[[@LINE+1]]: kernel `exchanges`: left alone: OpenCL has no __shfl_xor_sync
__global__ void exchanges(int* x) { x[threadIdx.x] = __shfl_xor_sync(0xffffffffu, x[threadIdx.x], 1); }

// CHECK: :[[@LINE+1]]: kernel `width`: left alone: OpenCL has no warpSize
__global__ void width(int* x) { x[0] = warpSize; }

// CHECK: :[[@LINE+1]]: kernel `counts`: left alone: the value of printf, which CUDA and OpenCL count differently
__global__ void counts(int* x) { x[0] = printf("%d\n", x[1]); }

struct Flags {
  unsigned ready : 1, count : 7;
};

// CHECK: kernel `bits`: left alone: struct Flags has bit-fields, which OpenCL does not know
__global__ void bits(Flags* f) { f[0].count = 3; }

struct Particle {
  float3 at;
  float mass;
};

// CHECK: :[[@LINE+1]]: kernel `laidOut`: left alone: struct Particle is laid out differently in OpenCL
__global__ void laidOut(Particle* p) { p[0].mass = 1; }

__global__ void partOfWarp(int* x) {
  x[0] = 1;
  // CHECK: :[[@LINE+1]]: kernel `partOfWarp`: left alone: OpenCL has no barrier of a part of a sub-group (__syncwarp with a mask)
  __syncwarp(0xffu);
  x[1] = 2;
}

__global__ void upToHost(int* x) {
  x[0] = 1;
  // CHECK: :[[@LINE+1]]: kernel `upToHost`: left alone: OpenCL has no fence that includes the host
  __threadfence_system();
  x[1] = 2;
}

__global__ void wholeGrid(int* x) {
  x[0] = 1;
  // CHECK: :[[@LINE+1]]: kernel `wholeGrid`: left alone: OpenCL has no barrier of a whole grid
  cooperative_groups::this_grid().sync();
  x[1] = 1;
}

// CHECK: :[[@LINE+1]]: kernel `asserts`: left alone: OpenCL has no assert
__global__ void asserts(int* x) { assert(x[0] > 0); }

// CHECK: :[[@LINE+1]]: kernel `brainFloat`: left alone: OpenCL has no bfloat16 type
__global__ void brainFloat(__nv_bfloat16* x) { x[1] = x[0]; }

// CHECK: :[[@LINE+1]]: kernel `brainPair`: left alone: OpenCL has no bfloat16 type
__global__ void brainPair(__nv_bfloat162* x) { x[1] = x[0]; }

// CHECK: :[[@LINE+1]]: kernel `vectorOfOne`: left alone: OpenCL has no vectors of one element
__global__ void vectorOfOne(float1* x) { x[1] = x[0]; }

// CHECK: :[[@LINE+1]]: kernel `takesGroup`: left alone: OpenCL has no cooperative_groups::thread_block ('b')
__global__ void takesGroup(int* x, cooperative_groups::thread_block b) { x[0] = 1; }

struct Chain {
  int* next;
};

// CHECK: :[[@LINE+1]]: kernel `chain`: left alone: OpenCL kernels take no structs with pointers ('c')
__global__ void chain(Chain c) { c.next[0] = 1; }

// CHECK: :[[@LINE+1]]: kernel `chains`: left alone: OpenCL kernels take no pointers to pointers ('c')
__global__ void chains(Chain* c) { c->next[0] = 1; }

// CHECK: :[[@LINE+1]]: kernel `flagged`: left alone: OpenCL kernels take no bool arguments ('b')
__global__ void flagged(int* x, bool b) { x[0] = b; }

// CHECK: :[[@LINE+1]]: kernel `fetches`: left alone: OpenCL has no texture references ('picture')
texture<float, 1> picture;
__global__ void fetches(float* x) { x[0] = tex1Dfetch(picture, 3); }

// CHECK: :[[@LINE+1]]: kernel `counts`: left alone: OpenCL has no writable global variables (__device__ 'counter')
__device__ int counter;
__global__ void counts() { atomicAdd(&counter, 1); }

// CHECK: :[[@LINE+1]]: kernel `filters`: left alone: __constant__ 'weights' is filled by the host; in OpenCL it would be an argument
__constant__ float weights[4];
__global__ void filters(float* x) { x[0] = weights[1]; }

// SAME: :[[@LINE+1]]: kernel `readsElsewhere`: left alone: the initializer of 'elsewhere' is not known
extern __constant__ const float elsewhere[4];
__global__ void readsElsewhere(float* x) { x[0] = elsewhere[1]; }
