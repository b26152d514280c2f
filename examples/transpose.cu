// Transposes an image of any size: reads along rows, writes along columns.
#define AT(m, y, x, pitch) m[(y) * (pitch) + (x)]

__global__ void transpose(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  AT(out, x, y, height) = AT(in, y, x, width);
}

void transposeImage(const float* in, float* out, int width, int height) {
  dim3 block(32, 8);
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  transpose<<<grid, block>>>(in, out, width, height);
}
