// no-opencl: pointerTable pointers to pointers
// Multi-dimensional arrays everywhere: pointers to rows, array parameters, typedefs of arrays, three-dimensional shared tiles.
#define NX 32
#define NY 16
typedef float Row[NX];

__global__ void rowsOf(float a[][NX], const float (*b)[NX], int n) {
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n && i < NX) a[j][i] = b[j][i] + b[j][(i + 1) % NX];
}

__global__ void planes(Row* rows, const float (*cube)[NY][NX], int depth) {
  __shared__ float tile[2][NY][NX];
  int x = threadIdx.x, y = threadIdx.y;
  float s = 0;
  for (int z = 0; z + 1 < depth; ++z) {
    tile[0][y][x] = cube[z][y][x];
    tile[1][y][x] = cube[z + 1][y][x];
    __syncthreads();
    s += tile[0][y][x] * tile[1][NY - 1 - y][NX - 1 - x];
    float* flat = &tile[0][0][0];
    s += flat[(y * NX + x) % (NY * NX)];
    float* row = tile[1][y];
    s -= row[NX - 1 - x];
    __syncthreads();
  }
  rows[y][x] = s;
}

__global__ void pointerTable(float** rows, const int* const* index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) rows[i][0] = rows[index[0][i]][1] + *rows[i] + **rows;
}
