// Uninitialised reads, barriers, arithmetic.

// run: --grid 2 --block 32 --length in=64 --length out=64
__kernel void bad_local_unset(__global const float* in, __global float* out) {
  __local float s[64];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[l] + s[l + 32];  // fault: uninitialized
}
__kernel void good_local_unset(__global const float* in, __global float* out) {
  __local float s[64];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  s[l + 32] = 1.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[l] + s[l + 32];
}

__kernel void bad_private_unset(__global const float* in, __global float* out) {
  float w[4];
  int i = get_global_id(0);
  for (int k = 0; k < 3; ++k) w[k] = in[i] * k;
  out[i] = w[i & 3];  // fault: uninitialized
}
__kernel void good_private_unset(__global const float* in, __global float* out) {
  float w[4];
  int i = get_global_id(0);
  for (int k = 0; k < 4; ++k) w[k] = in[i] * k;
  out[i] = w[i & 3];
}

__kernel void bad_variable_unset(__global const float* in, __global float* out) {
  float sum;
  int i = get_global_id(0);
  if (i > 10) sum = in[i];
  out[i] = sum + 1.0f;  // fault: uninitialized
}
__kernel void good_variable_unset(__global const float* in, __global float* out) {
  float sum = 0.0f;
  int i = get_global_id(0);
  if (i > 10) sum = in[i];
  out[i] = sum + 1.0f;
}

// In OpenCL an early return before a barrier is a fault.
// run: --grid 2 --block 32 --set n=50 --length in=n --length out=n
__kernel void bad_early_return(__global const float* in, __global float* out, int n) {
  __local float s[32];
  int i = get_global_id(0), l = get_local_id(0);
  s[l] = 0.0f;
  if (i >= n) return;
  s[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);  // fault: divergent-barrier or deadlock
  out[i] = s[l];
}
__kernel void good_early_return(__global const float* in, __global float* out, int n) {
  __local float s[32];
  int i = get_global_id(0), l = get_local_id(0);
  s[l] = 0.0f;
  if (i < n) s[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) out[i] = s[l];
}

__kernel void bad_branch_barrier(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  if (get_local_id(0) < 16) barrier(CLK_LOCAL_MEM_FENCE);  // fault: divergent-barrier or deadlock
  if (i < n) out[i] = in[i];
}
__kernel void good_branch_barrier(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) out[i] = in[i];
}

__kernel void bad_loop_barrier(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 1 + (int)get_local_id(0) % 2; ++k) {
    sum += in[k];
    barrier(CLK_LOCAL_MEM_FENCE);  // fault: divergent-barrier or deadlock
  }
  if (i < n) out[i] = sum;
}
__kernel void good_loop_barrier(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 2; ++k) {
    if (k < 1 + (int)get_local_id(0) % 2) sum += in[k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) out[i] = sum;
}

__kernel void bad_divide(__global const int* in, __global int* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = in[i] % (i / 4);  // fault: divide-by-zero
}
__kernel void good_divide(__global const int* in, __global int* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = in[i] % (i / 4 + 1);
}

// run: --grid 1 --block 32 --length in=32 --length out=32 --max-steps 200000
// oclgrind: no (it has no step limit)
__kernel void bad_endless(__global const int* in, __global int* out) {
  int i = get_global_id(0), k = 7;
  while (k > 0) k = (k * 5) % 8;  // fault: step-limit
  out[i] = in[i] + k;
}
__kernel void good_endless(__global const int* in, __global int* out) {
  int i = get_global_id(0), k = 7;
  while (k > 0) k -= 1;
  out[i] = in[i] + k;
}
