// cl-std: CL1.2
// expect-refused: depths 4 recursi
// Recursion in a helper, which OpenCL forbids and compilers accept.
int depth(__global const int *parent, int i) {
  return i < 0 ? 0 : 1 + depth(parent, parent[i]);
}

__kernel void depths(__global const int *parent, __global int *out) {
  out[get_global_id(0)] = depth(parent, get_global_id(0));
}
