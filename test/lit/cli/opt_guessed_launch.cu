// Findings at launches that hone guessed are no accusation: guesses by the constants of the text are tried first, and where none is clean, the guess is blamed.
// RUN: %hone check %s --cuda-path none --kernel diagonal | FileCheck --check-prefix=DIAGONAL %s
// RUN: %hone check %s --cuda-path none --kernel pairs | FileCheck --check-prefix=PAIRS %s
// RUN: %hone check %s --cuda-path none --kernel tiles | FileCheck --check-prefix=TILES %s
// RUN: %hone check %s --cuda-path none --kernel behind | FileCheck --check-prefix=BEHIND %s
// RUN: %hone opt %s --cuda-path none --kernel tiles --candidates 1 | FileCheck --check-prefix=OPT %s
// RUN: not %hone check %s --cuda-path none --kernel lost | FileCheck --check-prefix=LOST %s
// RUN: not %hone check %s --cuda-path none --kernel lost --json - | FileCheck --check-prefix=JSON %s
// RUN: %hone opt %s --cuda-path none --kernel lost -o %t.cu 2>&1 | FileCheck --check-prefix=LEFT %s
// RUN: %hone opt %s --cuda-path none --kernel lost --set n=512 --grid 2 --block 256 -o %t.cu 2>&1 | FileCheck --check-prefix=GIVEN %s
#define BLOCK_SIZE 16

// DIAGONAL: kernel `diagonal`: clean
// DIAGONAL-NEXT: n=1000, grid 1, block 16
// DIAGONAL: clean at this guess; at {{.*}}--block 256 there are {{[0-9]+}} findings (give that to see them)
__global__ void diagonal(float* m, int n) {
  extern __shared__ float shadow[];
  const int t = threadIdx.x;
  for (int i = 0; i < BLOCK_SIZE; ++i) shadow[i * BLOCK_SIZE + t] = m[i * n + t];
  __syncthreads();
  for (int i = 0; i < BLOCK_SIZE; ++i) m[i * n + t] = shadow[t * BLOCK_SIZE + i];
}

// Twice as many threads as the constant says.
// PAIRS: kernel `pairs`: clean
// PAIRS-NEXT: n=1000, grid 1, block 32{{$}}
__global__ void pairs(float* m, int n) {
  extern __shared__ float both[];
  const int t = threadIdx.x;
  const int half = t / BLOCK_SIZE, mine = t % BLOCK_SIZE;
  for (int i = 0; i < BLOCK_SIZE; ++i) both[(half * BLOCK_SIZE + i) * BLOCK_SIZE + mine] = m[i * n + t];
  __syncthreads();
  for (int i = 0; i < BLOCK_SIZE; ++i)
    m[i * n + t] = both[((1 - half) * BLOCK_SIZE + i) * BLOCK_SIZE + mine];
}

// Sizes that are multiples of the tile, which is larger than the block.
// TILES: kernel `tiles`: clean
// TILES-NEXT: n=128, grid
// OPT: kernel `tiles` on
__global__ void __launch_bounds__(256) tiles(float* out, const float* in, int n) {
  out += 128 * blockIdx.x * n + 128 * blockIdx.y;
  in += 128 * blockIdx.x * n + 128 * blockIdx.y;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      const int at = (8 * threadIdx.x + i) * n + 8 * threadIdx.y + j;
      out[at] = in[at] + threadIdx.y;
    }
}
void launchTiles(float* out, const float* in, int n) {
  tiles<<<dim3(n / 128, n / 128), dim3(16, 16)>>>(out, in, n);
}

// A grid that stays in the row: no test bounds it.
// BEHIND: kernel `behind`: clean
// BEHIND-NEXT: n=100, grid 2x2, block 16x16
__global__ void behind(float* m, int n) {
  const int row = (blockIdx.y + 1) * BLOCK_SIZE + threadIdx.y;
  const int column = (blockIdx.x + 1) * BLOCK_SIZE + threadIdx.x;
  m[row * n + column] -= m[threadIdx.y * n + column] * m[row * n + threadIdx.x];
}

// LOST: kernel `lost`: 2 errors at a guessed launch
// LOST: findings at another guess too; give what it is launched with
// LOST: read here and written in the same line by another thread, with no barrier between (
// LOST: written here and written in the same line by another thread: which of them comes last is left to chance (
// LOST-NOT: add __syncthreads
// JSON: "guessed": "--set n={{[0-9]+}} --grid {{[0-9]+}} --block {{[0-9]+}}"
// LEFT: kernel `lost`: left as it is: no valid launch found: {{.*}} at the guessed --set n={{[0-9]+}} --grid {{[0-9]+}} --block {{[0-9]+}}, and at another guess too; give what it is launched with, or mend it where that is so
// LEFT-NOT: must be mended
// GIVEN: kernel `lost`: left as it is: the original has {{.*}} that must be mended first{{$}}
__global__ void lost(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i % 32] += a[i + 32];
}
