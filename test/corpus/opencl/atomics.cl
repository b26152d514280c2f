// cl-std: CL1.2
// OpenCL 1.x atomics on global and local memory, with and without use of the old value.
__kernel void histogram(__global const uchar *data, __global uint *bins, uint n) {
  __local uint part[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    part[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&part[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    atomic_add(bins + i, part[i]);
}

__kernel void every(volatile __global int *a, __global uint *u, __global float *f) {
  int t = get_global_id(0);
  int old = atomic_add(&a[0], 1);
  old += atomic_sub(&a[1], 2) + atomic_inc(&a[2]);
  old ^= atomic_dec(a + 3);
  atomic_min(&a[4], t);
  atomic_max(&a[5], old);
  atomic_and(&u[0], 0xf0u);
  atomic_or(&u[1], 1u << (t & 31));
  atomic_xor(&u[2], (uint)old);
  atomic_xchg(&f[0], (float)t);
  if (atomic_cmpxchg(&a[6], 0, 1) == 0)
    a[7] = atomic_xchg(&a[8], t);
}

void atomicAddFloat(volatile __global float *addr, float v) {
  uint old, next;
  do {
    old = as_uint(*addr);
    next = as_uint(as_float(old) + v);
  } while (atomic_cmpxchg((volatile __global uint *)addr, old, next) != old);
}

__kernel void sumFloat(__global const float *x, volatile __global float *sum, int n) {
  int i = get_global_id(0);
  if (i < n)
    atomicAddFloat(sum, x[i]);
}
