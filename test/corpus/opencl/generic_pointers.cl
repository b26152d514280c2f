// cl-std: CL2.0
// Generic pointers of OpenCL 2.0: one helper serves global, local and private memory.
float total(const float *p, int n) {
  float s = 0.0f;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}

kernel void totals(global const float *g, local float *l, global float *out, int n) {
  int i = get_local_id(0);
  float mine[4] = {1.0f, 2.0f, 3.0f, (float)i};
  l[i] = g[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = total(g, n) + total(l, get_local_size(0)) + total(mine, 4);
}
