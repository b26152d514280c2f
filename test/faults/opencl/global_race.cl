// Races in global memory.

// run: --grid 4 --block 32 --length in=128 --length out=128
__kernel void bad_group_index(__global const float* in, __global float* out) {
  out[get_local_id(0)] = in[get_global_id(0)] + 1.0f;  // fault: race
}
__kernel void good_group_index(__global const float* in, __global float* out) {
  out[get_global_id(0)] = in[get_global_id(0)] + 1.0f;
}

// run: --grid 4 --block 32 --length out=128
__kernel void bad_inplace(__global float* out) {
  int i = get_global_id(0);
  if (i > 0) out[i] += out[i - 1];  // fault: race
}
// run: --grid 4 --block 32 --length in=128 --length out=128
__kernel void good_inplace(__global const float* in, __global float* out) {
  int i = get_global_id(0);
  if (i > 0) out[i] = in[i] + in[i - 1];
}

__kernel void bad_sum(__global const int* in, __global int* out) {
  out[0] += in[get_global_id(0)];  // fault: race
}
__kernel void good_sum(__global const int* in, __global int* out) {
  atomic_add(&out[0], in[get_global_id(0)]);
}

// Exchange in the group through global memory with a barrier that orders local memory only.
__kernel void bad_local_fence(__global const float* in, __global float* out) {
  int base = get_group_id(0) * 32, l = get_local_id(0);
  out[base + l] = in[base + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = out[base + 31 - l];  // fault: race
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[base + l] = v * 2.0f;
}
__kernel void good_local_fence(__global const float* in, __global float* out) {
  int base = get_group_id(0) * 32, l = get_local_id(0);
  out[base + l] = in[base + l];
  barrier(CLK_GLOBAL_MEM_FENCE);
  float v = out[base + 31 - l];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[base + l] = v * 2.0f;
}

// run: --grid 4 --block 32 --length out=128
__kernel void bad_char_output(__global uchar* out) {
  int i = get_global_id(0);
  out[i >> 1] = (uchar)i;  // fault: race
}
__kernel void good_char_output(__global uchar* out) {
  int i = get_global_id(0);
  out[i] = (uchar)i;
}

// run: --grid 4 --block 32 --length in=128 --length out=128
__kernel void bad_atomic_and_plain(__global const int* in, __global int* out) {
  int i = get_global_id(0);
  atomic_max(&out[1], in[i]);
  if (i == 100) out[1] = 7;  // fault: race
}
__kernel void good_atomic_and_plain(__global const int* in, __global int* out) {
  int i = get_global_id(0);
  atomic_max(&out[1], in[i]);
  if (i == 100) atomic_xchg(&out[1], 7);
}
