// cl-std: CL2.0
// expect-refused: closure 5 block
// A block, OpenCL's closure.
kernel void closure(global int *x) {
  int (^twice)(int) = ^(int v) { return 2 * v; };
  x[get_global_id(0)] = twice(x[get_global_id(0)]);
}
