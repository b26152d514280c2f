// cl-std: CL1.2
// expect-refused: copied 6 event_t
// Asynchronous group copies with events.
__kernel void copied(__global const float *in, __global float *out, __local float *buf) {
  size_t base = get_group_id(0) * get_local_size(0);
  event_t e = async_work_group_copy(buf, in + base, get_local_size(0), 0);
  wait_group_events(1, &e);
  buf[get_local_id(0)] *= 2.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out + base, buf, get_local_size(0), 0);
  wait_group_events(1, &e);
}
