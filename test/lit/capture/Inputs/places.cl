typedef struct {
  float factor;
  int shift;
} Step;

__kernel void scale(__global const int* places, __global float* a, Step step, int n, __local float* part) {
  int i = get_global_id(0);
  part[get_local_id(0)] = step.factor;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) a[places[i]] *= part[get_local_id(0)] + step.shift;
}

__kernel void turn(__global const float* in, __global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
