// cl-std: CL1.2
// Casts between pointers to scalars and to vectors, in global and local memory, and byte views.
kernel void viewed(global float *data, global uint *words, local float4 *tile, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  global float4 *v = (global float4 *)data;
  if (i < n / 4)
    v[i] *= 2.0f;
  tile[l] = v[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  local float *flat = (local float *)tile;
  data[i] = flat[l * 4 + 3] + *((local float *)&tile[0] + 1);
  global uchar *bytes = (global uchar *)words;
  bytes[4 * i] ^= 0x55;
  words[i] = *(global uint *)(bytes + 4) + ((global const uchar4 *)words)[i].y;
}
