// cl-std: CL2.0
// expect-refused: parent 5 queue
// A kernel enqueued from a kernel.
kernel void parent(global int *x) {
  queue_t q = get_default_queue();
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64), ^{ x[get_global_id(0)]++; });
}
