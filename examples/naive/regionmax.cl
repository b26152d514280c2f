// Marks the pixels that are no darker than any of their eight neighbours, one work-item per pixel.
__kernel void regionmax(__global const float* image, __global int* isMax, int w, int h) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= w || y >= h) return;
  float own = image[y * w + x];
  int found = 1;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      int nx = x + dx, ny = y + dy;
      if (nx >= 0 && nx < w && ny >= 0 && ny < h && image[ny * w + nx] > own) found = 0;
    }
  }
  isMax[y * w + x] = found;
}
