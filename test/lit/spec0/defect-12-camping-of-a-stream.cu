// Blocks of 512 threads that read one float each lie 2048 bytes apart, as far as the eight partitions of the GTX 280 go round. That alone does not mean
// camping: one block spans all of them. A block that reads 64 bytes of every 2048 does camp.
// RUN: %hone opt %s --recipe remap-blocks --kernel streams --target gtx280 --block 512 -o %t.cu 2>&1 | FileCheck --check-prefix=STREAMS %s
// RUN: %hone opt %s --recipe remap-blocks --kernel columns --target gtx280 --block 16x1 -o %t.cu 2>&1 | FileCheck --check-prefix=COLUMNS %s
// STREAMS: kernel `streams`: left alone: no access camps on a memory partition
// COLUMNS: kernel `columns`: blocks run along diagonals: a#1: blocks lie 2048 bytes apart, a multiple of 8 partitions of 256 bytes
__global__ void streams(const float* a, float* b) {
  int x = blockIdx.x * 512 + threadIdx.x;
  b[blockIdx.y * 65536 + x] = a[blockIdx.y * 65536 + x];
}

__global__ void columns(const float* a, float* b) {
  b[(blockIdx.y * 16 + threadIdx.x) * 128 + blockIdx.x] = a[blockIdx.y * 65536 + blockIdx.x * 512 + threadIdx.x];
}
