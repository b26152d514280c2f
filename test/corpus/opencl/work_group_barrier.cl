// cl-std: CL2.0
// code-differs: scoped
// OpenCL 2.0 barriers, with and without a scope.
kernel void scoped(global int *a, local int *l) {
  size_t i = get_local_id(0);
  l[i] = a[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = l[get_local_size(0) - 1 - i];
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
  int first = a[get_group_id(0) * get_local_size(0)];
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] += first;
}
