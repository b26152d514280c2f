// Two-dimensional convolution with a filter of 32 x 32, one work-item per pixel of the result. The image has the
// 31 columns and rows more that the filter reaches over.
#define FILTER 32

__kernel void conv(__global const float* image, __global const float* filter, __global float* result, int w,
                   int h) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  int pitch = w + FILTER - 1;
  if (x < w && y < h) {
    float sum = 0;
    for (int i = 0; i < FILTER; ++i) {
      for (int j = 0; j < FILTER; ++j) sum += image[(y + i) * pitch + x + j] * filter[i * FILTER + j];
    }
    result[y * w + x] = sum;
  }
}
