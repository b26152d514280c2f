// Accesses outside of an array.

// run: --grid 4 --block 32 --set n=120 --length in=n --length out=n
__kernel void bad_no_guard(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  float v = i < n ? in[i] : 0.0f;
  out[i] = v;  // fault: out-of-bounds
}
__kernel void good_no_guard(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  float v = i < n ? in[i] : 0.0f;
  if (i < n) out[i] = v;
}

__kernel void bad_read_after(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = in[i] + in[i + 1];  // fault: out-of-bounds
}
__kernel void good_read_after(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = in[i] + (i + 1 < n ? in[i + 1] : 0.0f);
}

__kernel void bad_negative(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = in[i - 2];  // fault: out-of-bounds
}
__kernel void good_negative(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = in[max(i - 2, 0)];
}

__kernel void bad_local_end(__global const float* in, __global float* out, int n) {
  __local float s[32];
  int l = get_local_id(0), i = get_global_id(0);
  s[l] = i < n ? in[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) out[i] = s[l + 1];  // fault: out-of-bounds
}
__kernel void good_local_end(__global const float* in, __global float* out, int n) {
  __local float s[32];
  int l = get_local_id(0), i = get_global_id(0);
  s[l] = i < n ? in[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) out[i] = s[min(l + 1, 31)];
}

__kernel void bad_vload(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  if (i <= n / 4) {
    float4 v = vload4(i, in);  // fault: out-of-bounds
    out[i] = v.x + v.y + v.z + v.w;
  }
}
__kernel void good_vload(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  if (i < n / 4) {
    float4 v = vload4(i, in);
    out[i] = v.x + v.y + v.z + v.w;
  }
}

__kernel void bad_private_array(__global const float* in, __global float* out, int n) {
  float w[3] = {1.0f, 2.0f, 3.0f};
  int i = get_global_id(0);
  if (i < n) out[i] = in[i] * w[i & 3];  // fault: out-of-bounds
}
__kernel void good_private_array(__global const float* in, __global float* out, int n) {
  float w[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  int i = get_global_id(0);
  if (i < n) out[i] = in[i] * w[i & 3];
}

__constant float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__kernel void bad_constant(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = in[i] * table[i & 7];  // fault: out-of-bounds
}
__kernel void good_constant(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = in[i] * table[i & 3];
}

// The image is a row too long: the last group's rows lie outside.
// run: --grid 2x2 --block 8x8 --set w=16 --set h=15 --length in=w*h --length out=w*h
__kernel void bad_rows(__global const float* in, __global float* out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y <= h) out[y * w + x] = 2.0f;  // fault: out-of-bounds
  if (x < w && y < h && in[y * w + x] > 1e30f) out[y * w + x] = 0.0f;
}
__kernel void good_rows(__global const float* in, __global float* out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) out[y * w + x] = 2.0f;
  if (x < w && y < h && in[y * w + x] > 1e30f) out[y * w + x] = 0.0f;
}
