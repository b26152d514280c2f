// A block that has to be guessed: one is taken in which the kernel is clean; where there is none, the guess is shown beside the findings.
// RUN: %hone opt %s --cuda-path none --candidates 1 --kernel halves | FileCheck --check-prefix=HALVES %s
// RUN: %hone opt %s --cuda-path none --kernel unordered -o %t.cu 2>&1 | FileCheck --check-prefix=RACE %s

// Two elements of the tile for each of 64 threads.
// HALVES: (as it is)
__global__ void halves(float* out, const float* in) {
  __shared__ float tile[128];
  const float* from = in + blockIdx.x * 128;
  float* mine = tile + 2 * threadIdx.x;
  mine[0] = from[2 * threadIdx.x];
  mine[1] = from[2 * threadIdx.x + 1];
  __syncthreads();
  const float* first = tile + threadIdx.x;
  float* to = out + blockIdx.x * 64;
  to[threadIdx.x] = first[0] + first[64];
}

// RACE: opt_guessed_block.cu:[[#@LINE+4]]: kernel `unordered`: left as it is: the original has 2 findings at the guessed --grid 4 --block 1024, and at {{[0-9]+}} others too; mend it, or give what it is launched with
// RACE-NEXT: opt_guessed_block.cu:[[#@LINE+5]]: written here and read in line [[#@LINE+6]] by another thread, with no barrier between: add __syncthreads()
// RACE-NEXT: opt_guessed_block.cu:[[#@LINE+5]]: read before the block wrote it
// RACE-NOT: hone check shows them
__global__ void unordered(float* a) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = a[blockIdx.x * 1024 + threadIdx.x];
  a[blockIdx.x * 1024 + threadIdx.x] = tile[1023 - threadIdx.x % 32 - threadIdx.x / 32 * 32];
}
