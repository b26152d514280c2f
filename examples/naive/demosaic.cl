// Colours from the raw picture of a camera whose pixels see red, green and blue in squares of RG over GB: what a pixel
// did not see is the mean of the neighbours that did. One work-item per pixel; those at the border keep what they saw as grey.
__kernel void demosaic(__global const float* raw, __global float* rgb, int w, int h) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= w || y >= h) return;
  float seen = raw[y * w + x];
  float red = seen, green = seen, blue = seen;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    float sides = (raw[y * w + x - 1] + raw[y * w + x + 1]) / 2;
    float above = (raw[(y - 1) * w + x] + raw[(y + 1) * w + x]) / 2;
    float corners = (raw[(y - 1) * w + x - 1] + raw[(y - 1) * w + x + 1]) / 4 +
                    (raw[(y + 1) * w + x - 1] + raw[(y + 1) * w + x + 1]) / 4;
    if (y % 2 == 0) {
      if (x % 2 == 0) {
        green = (sides + above) / 2;
        blue = corners;
      } else {
        red = sides;
        blue = above;
      }
    } else {
      if (x % 2 == 0) {
        red = above;
        blue = sides;
      } else {
        red = corners;
        green = (sides + above) / 2;
      }
    }
  }
  rgb[3 * (y * w + x)] = red;
  rgb[3 * (y * w + x) + 1] = green;
  rgb[3 * (y * w + x) + 2] = blue;
}
