// RUN: %hone profile %s --kernel tiled --report %t.html --json %t.json | FileCheck --check-prefix=TILED %s
// RUN: FileCheck --check-prefix=HTML %s < %t.html
// RUN: %python -c "import json; k = json.load(open('%t.json'))['kernels'][0]; print(k['loads']['wavefronts'] / k['loads']['shared_requests'], k['stores']['sectors'] / k['stores']['global_requests'], k['blocks'], k['time']['limiter'])" | FileCheck --check-prefix=JSON %s
// RUN: %hone profile %s --kernel plain | FileCheck --check-prefix=PLAIN %s
// RUN: %hone profile %s --kernel plain --sample 64 | FileCheck --check-prefix=SAMPLE %s
// RUN: %hone profile %s --kernel plain --target gtx280 --rules strict16 | FileCheck --check-prefix=OLD %s

#pragma hone set(w=512, h=512) grid(16x64) block(32x8)
__global__ void plain(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

// PLAIN: plain ({{.*}}transpose.cu:[[#]]) on h200, grid 16x64, block 32x8, h=512, w=512
// PLAIN: estimated time {{.*}}, limited by
// PLAIN: loads 8.19 k 32.8 k 4.0 (4.0)
// PLAIN: stores 8.19 k 262 k 32.0 (4.0)
// PLAIN: out[x * h + y] = in[y * w + x];
// PLAIN: line [[#]]: moves 4.5 times the sectors that its data fills

// SAMPLE: counted on 64 of 1024 blocks and scaled to all; --exact runs every block
// SAMPLE: stores 8.19 k 262 k 32.0 (4.0)

// OLD: by the rule strict16: {{[0-9]+}} transactions of {{[0-9]+}} bytes, 16384 of 32768 half-warp requests coalesced
// OLD: partitions: the busiest gets {{[0-9.]+}} times its even share at a time

#pragma hone set(w=512, h=512) grid(16x16) block(32x8)
__global__ void tiled(const float* in, float* out, int w, int h) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// TILED: 256 barriers of blocks
// TILED: stores {{.*}}4.0 (4.0)
// TILED: shared memory
// TILED: loads {{.*}}32.0 (1.0)
// TILED: stores {{.*}}1.0 (1.0)
// TILED: line [[#]]: 32.0 passes through the banks where one would do

// HTML: <title>hone profile: tiled</title>
// HTML: Hottest lines
// HTML: 32.0 passes through the banks where one would do
// HTML: Where the time goes

// JSON: 32.0 4.0 {'grid': 256, 'counted': 256}
