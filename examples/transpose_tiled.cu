// The transpose of transpose.cu through shared memory: both sides touch neighbouring elements. Same launch, same result:
//   hone verify examples/transpose.cu examples/transpose_tiled.cu
#define TILE_X 32
#define TILE_Y 8

__global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[TILE_Y][TILE_X + 1];
  int x = blockIdx.x * TILE_X + threadIdx.x;
  int y = blockIdx.y * TILE_Y + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();

  int thread = threadIdx.y * TILE_X + threadIdx.x;
  int tx = thread / TILE_Y, ty = thread % TILE_Y;
  x = blockIdx.x * TILE_X + tx;
  y = blockIdx.y * TILE_Y + ty;
  if (x < width && y < height) out[x * height + y] = tile[ty][tx];
}
