// cl-std: CL2.0
// expect-refused: scoped 7 memory scope
// A work-group barrier that orders memory for the whole device.
kernel void scoped(global int *a, local int *l) {
  size_t i = get_local_id(0);
  l[i] = a[get_global_id(0)];
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  a[get_global_id(0)] = l[0] + a[get_group_id(0) * get_local_size(0)];
}
