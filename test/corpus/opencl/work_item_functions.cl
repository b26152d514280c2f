// cl-std: CL2.0
// no-cuda: linear get_enqueued_local_size
// no-cuda: ids get_work_dim
// All work-item functions, in several dimensions, with global offsets and mixed size_t arithmetic.
kernel void ids(global ulong *out, global uint *small) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  size_t w = get_global_size(0), h = get_global_size(1);
  size_t i = (z * h + y) * w + x;
  out[i] = get_local_id(0) + get_local_size(0) * get_group_id(0) + get_global_offset(0);
  out[i] += get_num_groups(0) * get_num_groups(1) + get_local_id(1) + get_local_size(2) + get_global_offset(1);
  small[i] = get_work_dim() + (uint)get_group_id(2);
}

kernel void offsets(global int *a, int n) {
  int i = get_global_id(0) - get_global_offset(0);
  if (i < n)
    a[i] = get_global_id(0);
}

kernel void linear(global uint *a) {
  a[get_global_linear_id()] = get_local_linear_id() + get_enqueued_local_size(0);
}
