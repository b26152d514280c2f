// cl-std: CL1.2
// A bitonic sorting network over int pairs with key and value in one vector.
inline void compareAndSwap(__local int2 *a, __local int2 *b, uint dir) {
  if ((a->x > b->x) == dir) {
    int2 t = *a;
    *a = *b;
    *b = t;
  }
}

__kernel void bitonicLocal(__global int2 *kv, uint dir) {
  __local int2 s[256];
  const uint l = get_local_id(0), base = get_group_id(0) * 256;
  s[l] = kv[base + l];
  s[l + 128] = kv[base + l + 128];
  for (uint size = 2; size <= 256; size <<= 1) {
    uint d = dir ^ ((l & (size / 2)) != 0);
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint pos = 2 * l - (l & (stride - 1));
      compareAndSwap(&s[pos], &s[pos + stride], d);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  kv[base + l] = s[l];
  kv[base + l + 128] = s[l + 128];
}
