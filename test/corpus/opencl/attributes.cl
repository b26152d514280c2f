// cl-std: CL1.2
// Kernel attributes: work_group_size_hint, vec_type_hint, reqd_work_group_size in two and three dimensions.
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void fixed64(__global float *x) {
  __local float s[64];
  s[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = s[63 - get_local_id(0)];
}

__kernel __attribute__((work_group_size_hint(8, 8, 4))) __attribute__((vec_type_hint(float4)))
void hinted(__global float4 *v, int w, int h) {
  size_t i = (get_global_id(2) * h + get_global_id(1)) * w + get_global_id(0);
  v[i] = v[i] * 0.5f;
}

kernel __attribute__((reqd_work_group_size(4, 4, 4))) void cube(global int *a) {
  a[(get_local_id(2) * 4 + get_local_id(1)) * 4 + get_local_id(0)] = get_group_id(0);
}
