// Tricky code without a fault.

// run: --grid 2 --block 64 --length in=128 --length out=128
__kernel void clean_scan(__global const int* in, __global int* out) {
  __local int s[2][64];
  int l = get_local_id(0), from = 0;
  s[0][l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < 64; d *= 2) {
    s[1 - from][l] = l >= d ? s[from][l] + s[from][l - d] : s[from][l];
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = s[from][l];
}

__kernel void clean_histogram(__global const int* in, __global int* out) {
  __local int bins[16];
  int l = get_local_id(0);
  if (l < 16) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[get_global_id(0)] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) atomic_add(&out[l], bins[l]);
}

// run: --grid 2 --block 64 --length out=128
__kernel void clean_bytes(__global uchar* out) {
  __local uchar bytes[64];
  int l = get_local_id(0);
  bytes[l] = (uchar)(l * 2);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = bytes[63 - l];
}

// A barrier reached by all, after work that only some do.
// run: --grid 2 --block 64 --length in=128 --length out=128
__kernel void clean_some_work(__global const float* in, __global float* out) {
  __local float s[64];
  int l = get_local_id(0);
  s[l] = 0.0f;
  if (l < 40) {
    for (int k = 0; k < l; ++k) s[l] += in[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[63 - l];
}

// run: --grid 2x2 --block 16x8 --set w=30 --set h=13 --length in=w*h --length out=w*h
__kernel void clean_tile(__global const float* in, __global float* out, int w, int h) {
  __local float tile[8][17];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  tile[ly][lx] = x < w && y < h ? in[y * w + x] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < w && y < h) out[y * w + x] = tile[7 - ly][15 - lx];
}

// Order through the group's barrier in global memory.
// run: --grid 2 --block 64 --length in=128 --length out=128
__kernel void clean_global_exchange(__global const float* in, __global float* out) {
  int base = get_group_id(0) * 64, l = get_local_id(0);
  out[base + l] = in[base + l];
  barrier(CLK_GLOBAL_MEM_FENCE);
  float v = out[base + 63 - l];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[base + l] = v;
}
