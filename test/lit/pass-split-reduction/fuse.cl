// OpenCL: greatest values and sums meet in local memory.
// RUN: %hone verify %s --recipe 'split-reduction(fuse=1)' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=64, each=4, fuse=1) vectorize' --reassociate --set n=77 | FileCheck --check-prefix=SAME %s
// RUN: %hone opt %s --recipe 'split-reduction(fuse=1)' --reassociate 2>/dev/null | FileCheck %s
// SAME: kernel `softmax`: equal in
__kernel void softmax(__global const float* restrict in, __global float* restrict out, int rows, int n) {
  int r = get_global_id(0);
  if (r < rows) {
    float most = -INFINITY;
    for (int j = 0; j < n; ++j) most = fmax(most, in[r * n + j]);
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += native_exp(in[r * n + j] - most);
    for (int j = 0; j < n; ++j) out[r * n + j] = native_exp(in[r * n + j] - most) / sum;
  }
}
// CHECK: __local float most_parts[
// CHECK: sum *= native_exp(most - value);
// CHECK: sum += native_exp(value - (most == -INFINITY ? 0.0f : most));
// CHECK: const float own_most = most;
// CHECK: most_parts[lane] = most;
// CHECK: most = most_parts[0];
// CHECK: if (n > 0) {
// CHECK: sum *= native_exp(own_most - most);
// CHECK: sum_parts[lane] = sum;
