// OpenCL constructs that have no place in the IR.
// RUN: %hone explain %s 2>&1 | FileCheck %s

// CHECK-LABEL: kernel `images`
// CHECK-NEXT: left alone: OpenCL image type '__read_only image2d_t' ({{.*}}:[[@LINE+1]])
__kernel void images(read_only image2d_t im, __global float4* out) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  out[get_global_id(0)] = read_imagef(im, s, (int2)(get_global_id(0), 0));
}

// CHECK-LABEL: kernel `dimension`
// CHECK-NEXT: left alone: get_global_id with a dimension not known at compile time ({{.*}}:[[@LINE+2]])
__kernel void dimension(__global int* x, uint d) {
  x[get_global_id(d)] = 1;
}

// CHECK-LABEL: kernel `flags`
// CHECK-NEXT: left alone: barrier with flags not known at compile time ({{.*}}:[[@LINE+2]])
__kernel void flags(__global int* x, uint which) {
  barrier(which);
  x[0] = 1;
}

// CHECK-LABEL: kernel `lane`
// CHECK-NEXT: left alone: vector indexed by a value not known at compile time ({{.*}}:[[@LINE+2]])
__kernel void lane(__global int* x, int4 v, int i) {
  x[0] = v[i];
}

// CHECK-LABEL: kernel `jumps`
// CHECK-NEXT: left alone: goto ({{.*}}:[[@LINE+2]])
__kernel void jumps(__global int* x) {
  goto end;
end:
  x[0] = 1;
}

int down(int n) { return n ? down(n - 1) : 0; }

// CHECK-LABEL: kernel `recurses`
// CHECK-NEXT: left alone: recursion in device function 'down' ({{.*}}:[[@LINE-3]])
__kernel void recurses(__global int* x) { x[0] = down(x[1]); }

// CHECK-LABEL: kernel `fences`
// CHECK-NEXT: left alone: fence with flags not known at compile time ({{.*}}:[[@LINE+2]])
__kernel void fences(__global int* x, uint which) {
  mem_fence(which);
  x[0] = 1;
}

// CHECK-LABEL: kernel `countsTrue`
// CHECK-NEXT: left alone: increment of a bool ({{.*}}:[[@LINE+3]])
__kernel void countsTrue(__global int* x) {
  bool b = x[0];
  b++;
  x[1] = b;
}

// CHECK-LABEL: kernel `shuffles`
// CHECK-NEXT: left alone: __builtin_shufflevector ({{.*}}:[[@LINE+2]])
__kernel void shuffles(__global int4* x) {
  x[0] = __builtin_shufflevector(x[0], x[1], 0, 1, 4, 5);
}

// CHECK-LABEL: kernel `voidSum`
// CHECK-NEXT: left alone: arithmetic on a void pointer ({{.*}}:[[@LINE+2]])
__kernel void voidSum(__global int* x, __global void* p) {
  x[0] = *(__global int*)(p + 4);
}

// CHECK-LABEL: kernel `voidElement`
// CHECK-NEXT: left alone: subscript of a void pointer ({{.*}}:[[@LINE+2]])
__kernel void voidElement(__global int* x, __global void* p) {
  x[0] = *(__global int*)&p[4];
}

// CHECK-LABEL: kernel `fourthOfThree`
// CHECK-NEXT: left alone: swizzle beyond the vector ({{.*}}:[[@LINE+2]])
__kernel void fourthOfThree(__global int2* x, int3 v) {
  x[0] = v.hi;
}

enum Unseen;
// CHECK-LABEL: kernel `unseen`
// CHECK-NEXT: left alone: enum without a definition ({{.*}}:[[@LINE+1]])
__kernel void unseen(__global enum Unseen* e, __global int* x) { x[0] = 1; }

// CHECK-LABEL: kernel `text`
// CHECK-NEXT: left alone: string literal used as data ({{.*}}:[[@LINE+2]])
__kernel void text(__global char* x) {
  __constant char* p = "abc";
  x[0] = p[1];
}
