// Races among the work-items of a group.

// run: --grid 2 --block 64 --length in=128 --length out=128
__kernel void bad_missing_barrier(__global const float* in, __global float* out) {
  __local float tile[64];
  int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  out[get_global_id(0)] = tile[63 - l];  // fault: race
}
__kernel void good_missing_barrier(__global const float* in, __global float* out) {
  __local float tile[64];
  int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - l];
}

// The barrier orders the other memory.
__kernel void bad_wrong_fence(__global const float* in, __global float* out) {
  __local float tile[64];
  int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - l];  // fault: race
}
__kernel void good_wrong_fence(__global const float* in, __global float* out) {
  __local float tile[64];
  int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - l];
}

__kernel void bad_reduction(__global const float* in, __global float* out) {
  __local float s[64];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 32; d > 0; d >>= 1)
    if (l < d) s[l] += s[l + d];  // fault: race
  if (l == 0) out[get_group_id(0)] = s[0];
}
__kernel void good_reduction(__global const float* in, __global float* out) {
  __local float s[64];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 32; d > 0; d >>= 1) {
    if (l < d) s[l] += s[l + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = s[0];
}

// A local argument used as scratch, without the barrier between iterations.
// run: --grid 2 --block 64 --length in=128 --length out=128 --length scratch=64
__kernel void bad_scratch_reuse(__global const float* in, __global float* out, __local float* scratch) {
  int l = get_local_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 2; ++k) {
    scratch[l] = in[k * 64 + l];  // fault: race
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 64; ++j) sum += scratch[j];
  }
  out[get_global_id(0)] = sum;
}
__kernel void good_scratch_reuse(__global const float* in, __global float* out, __local float* scratch) {
  int l = get_local_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 2; ++k) {
    scratch[l] = in[k * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 64; ++j) sum += scratch[j];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

// run: --grid 2 --block 64 --length in=128 --length out=128
__kernel void bad_counter(__global const int* in, __global int* out) {
  __local int count;
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (in[get_global_id(0)] < 1000000) count++;  // fault: race
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_group_id(0)] = count;
}
__kernel void good_counter(__global const int* in, __global int* out) {
  __local int count;
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (in[get_global_id(0)] < 1000000) atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_group_id(0)] = count;
}

// run: --grid 2 --block 64 --length out=128
__kernel void bad_everyone_writes(__global int* out) {
  __local int winner;
  winner = (int)get_local_id(0);  // fault: race
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = winner;
}
__kernel void good_everyone_writes(__global int* out) {
  __local int winner;
  if (get_local_id(0) == 3) winner = (int)get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = winner;
}

// Vectors of four: the last component lies in the next work-item's element.
// run: --grid 2 --block 64 --length in=128 --length out=128
__kernel void bad_overlapping_vectors(__global const float* in, __global float* out) {
  __local float s[68];
  int l = get_local_id(0);
  if (l < 16) vstore4((float4)(in[l], l, 2.0f * l, 3.0f), 0, s + 3 * l);  // fault: race
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l < 48 ? s[l] : 0.0f;
}
__kernel void good_overlapping_vectors(__global const float* in, __global float* out) {
  __local float s[68];
  int l = get_local_id(0);
  if (l < 16) vstore4((float4)(in[l], l, 2.0f * l, 3.0f), 0, s + 4 * l);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l < 48 ? s[l] : 0.0f;
}
