// OpenCL constructs that have no place in the IR.
// RUN: %hone explain %s 2>&1 | FileCheck %s

// CHECK-LABEL: kernel `images`
// CHECK-NEXT: left alone: OpenCL image type
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
