// Numbers that lie in pairs.
__kernel void pairs(__global float* z, int n) {
  int x = get_global_id(0);
  if (x < n) {
    float sum = z[2 * x] + z[2 * x + 1];
    z[2 * x] = sum;
    z[2 * x + 1] = sum * 2;
  }
}
