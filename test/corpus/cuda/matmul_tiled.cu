// Two-dimensional __shared__ tiles, barriers, an object-like macro as tile width, and ragged edges.
#define TILE 16

__global__ void __launch_bounds__(TILE * TILE)
matmulTiled(const float *a, const float *b, float *c, int n)
{
	__shared__ float as[TILE][TILE];
	__shared__ float bs[TILE][TILE + 1];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TILE + ty;
	const int col = blockIdx.x * TILE + tx;
	float acc = 0.f;

	for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
		const int ac = t * TILE + tx;
		const int br = t * TILE + ty;
		as[ty][tx] = (row < n && ac < n) ? a[row * n + ac] : 0.f;
		bs[ty][tx] = (br < n && col < n) ? b[br * n + col] : 0.f;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; ++k)
			acc += as[ty][k] * bs[k][tx];
		__syncthreads();
	}
	if (row < n && col < n)
		c[row * n + col] = acc;
}
