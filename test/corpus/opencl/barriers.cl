// cl-std: CL1.2
// code-differs: fenced
// Barriers with every fence flag, mem_fence, read_mem_fence and write_mem_fence.
__kernel void fenced(__global int *a, __global volatile int *flag, __local int *l, int n) {
  int i = get_local_id(0), g = get_global_id(0);
  l[i] = a[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[g] = l[(i + 1) % get_local_size(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  int first = a[get_group_id(0) * get_local_size(0)];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  l[i] += first;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  read_mem_fence(CLK_LOCAL_MEM_FENCE);
  write_mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  if (n > 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
    a[g] += l[get_local_size(0) - 1 - i];
    barrier(0);
  }
  if (i == 0)
    flag[get_group_id(0)] = 1;
}
