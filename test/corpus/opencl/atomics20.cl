// cl-std: CL2.0
// no-cuda: count CUDA has no
// no-cuda: takeMax CUDA has no
// code-differs: count
// OpenCL 2.0 atomics on atomic types, implicit and explicit orders, compare-exchange.
kernel void count(global const int *x, global atomic_int *total, global atomic_uint *mask, int n) {
  local atomic_int part;
  if (get_local_id(0) == 0)
    atomic_init(&part, 0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    if (x[i] > 0)
      atomic_fetch_add_explicit(&part, 1, memory_order_relaxed, memory_scope_work_group);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    int p = atomic_load(&part);
    atomic_fetch_add(total, p);
    atomic_fetch_or(mask, 1u << (get_group_id(0) & 31));
  }
}

kernel void takeMax(global const int *x, global atomic_int *m, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int seen = atomic_load_explicit(m, memory_order_relaxed, memory_scope_device);
  while (seen < x[i])
    if (atomic_compare_exchange_strong(m, &seen, x[i]))
      break;
}
