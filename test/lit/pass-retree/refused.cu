// Where values of a block are not put together, or more is used of the tree than the total.
// RUN: %hone opt %s --reassociate --block 256 --recipe retree --no-verify -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --block 256 --recipe retree --no-verify --kernel order -o - 2>&1 >/dev/null | FileCheck --check-prefix=ORDER %s
// RUN: %hone opt %s --reassociate --block 48 --recipe retree --no-verify --kernel order -o - 2>&1 >/dev/null | FileCheck --check-prefix=WARPS %s
// RUN: %hone opt %S/Inputs/halving.cl --block 64 --recipe retree --no-verify -o - 2>&1 >/dev/null | FileCheck --check-prefix=OPENCL %s
// OPENCL: kernel `halving`: left alone: there are no shuffles by which it could be done

// ORDER: kernel `order`: left alone: the order of the sum s would change; pass --reassociate to permit it
// WARPS: kernel `order`: left alone: blocks of 48 threads are no whole warps
__global__ void order(const float* a, float* o) {
  __shared__ float sh[256];
  float s = a[threadIdx.x];
  sh[threadIdx.x] = s;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `alone`: left alone: its threads put no values together
__global__ void alone(const int* a, int* o) { o[threadIdx.x] = a[threadIdx.x]; }

// A last step that is left out: the sum of the even ones.
// CHECK: kernel `half`: left alone: what its threads put together is not one value of each thread of the block
__global__ void half(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 1; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// A barrier that is missing.
// CHECK: kernel `races`: left alone: threads may read sh before others of them have stored to it
__global__ void races(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1)
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
  __syncthreads();
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// Lanes that store what others of them still read.
// CHECK: kernel `overtakes`: left alone: threads may store to sh while others of them are still at it
__global__ void overtakes(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  sh[threadIdx.x] += sh[(threadIdx.x + 1) % 256];
  __syncthreads();
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `scan`: left alone: more of sh is used than the total
__global__ void scan(const int* a, int* o) {
  __shared__ int sh[256];
  int t = threadIdx.x;
  sh[t] = a[t];
  __syncthreads();
  for (int h = 1; h < blockDim.x; h *= 2) {
    int more = t >= h ? sh[t - h] : 0;
    __syncthreads();
    sh[t] += more;
    __syncthreads();
  }
  o[t] = sh[t];
}

// CHECK: kernel `mayBeNan`: left alone: of the maximum of its values by comparisons a NaN may be the one that stays, as its place would have it
__global__ void mayBeNan(const float* a, float* o) {
  __shared__ float sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h)
      if (sh[threadIdx.x + h] > sh[threadIdx.x]) sh[threadIdx.x] = sh[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `unknownSize`: left alone: it is not known which threads take part in a step
__global__ void unknownSize(const int* a, int* o, int m) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = 128; h > 0; h >>= 1) {
    if (threadIdx.x < m) sh[threadIdx.x] += sh[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `unknownPlace`: left alone: it is not known which element of sh a thread uses
__global__ void unknownPlace(const int* a, int* o, int m) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = 128; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + m];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `more`: left alone: more of sh is used than the total
__global__ void more(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    __syncthreads();
  }
  o[threadIdx.x] = sh[threadIdx.x];
}

// CHECK: kernel `before`: left alone: sh is also stored to by other statements than the tree's
__global__ void before(const int* a, int* o, int n) {
  __shared__ int sh[256];
  sh[threadIdx.x] = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] = a[i];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `earlier`: left alone: sh is used where it may hold something else than the total
__global__ void earlier(const int* a, int* o, int n) {
  __shared__ int sh[256];
  for (int r = 0; r < n; ++r) {
    if (r > 0 && threadIdx.x == 0) o[r - 1] = sh[0];
    __syncthreads();
    sh[threadIdx.x] = a[r * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h >>= 1) {
      if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
      __syncthreads();
    }
    if (threadIdx.x == 0) o[n + r] = sh[0];
  }
}

// CHECK: kernel `partOfIt`: left alone: v is used by threads that have a part of the sum alone
__global__ void partOfIt(const int* a, int* o) {
  __shared__ int sh[256];
  int v = a[threadIdx.x];
  __syncthreads();
  for (int h = 16; h > 0; h >>= 1) v += __shfl_down_sync(0xffffffff, v, h);
  if (threadIdx.x % 32 == 0) sh[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < blockDim.x / 32; ++w) v += sh[w];
  __syncthreads();
  o[threadIdx.x] = v;
}

// CHECK: kernel `besides`: left alone: steps is used behind the tree, where it is not what the threads put together
__global__ void besides(const int* a, int* o) {
  __shared__ int sh[256];
  int steps = 0;
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    steps = h;
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0] + steps;
}

// CHECK: kernel `apart`: left alone: some threads of a block may not come to where they put their values together
__global__ void apart(const int* a, int* o, int n) {
  __shared__ int sh[256];
  if (a[threadIdx.x] > n) {
    sh[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h >>= 1) {
      if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
      __syncthreads();
    }
    if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
  }
}

// CHECK: kernel `inside`: left alone: not all threads of the block come to a barrier
__global__ void inside(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1)
    if (threadIdx.x < h) {
      sh[threadIdx.x] += sh[threadIdx.x + h];
      __syncthreads();
    }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `onceOnly`: left alone: its threads wait for each other no more often than they must
__global__ void onceOnly(const int* a, int* o) {
  __shared__ int sh[8];
  int v = a[threadIdx.x];
  for (int h = 16; h > 0; h >>= 1) v += __shfl_xor_sync(0xffffffff, v, h);
  if (threadIdx.x % 32 == 0) sh[threadIdx.x / 32] = v;
  __syncthreads();
  v = sh[0];
  for (int w = 1; w < blockDim.x / 32; ++w) v += sh[w];
  o[threadIdx.x] = v;
}

// CHECK: kernel `late`: left alone: memory is read behind a barrier of the tree
__global__ void late(const int* a, int* o) {
  __shared__ int sh[256];
  __shared__ int other[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  other[threadIdx.x] = sh[255 - threadIdx.x] + o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = other[255 - threadIdx.x];
}

// CHECK: kernel `mixed`: left alone: its values are not put together by one operation
__global__ void mixed(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] -= sh[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `changes`: left alone: more is done with its values than putting them together
__global__ void changes(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] = sh[threadIdx.x] + 2 * sh[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `endless`: left alone: its steps are too many to follow
__global__ void endless(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = 0; h < 100000; ++h) __syncthreads();
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `fences`: left alone: its threads do more than put values together
__global__ void fences(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = 128; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    __threadfence();
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `rows`: left alone: sh holds no plain numbers
__global__ void rows(const float2* a, float2* o) {
  __shared__ float2 sh[256];
  __syncthreads();
  sh[threadIdx.x] = sh[255 - threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = sh[0];
}

// CHECK: kernel `ownArray`: left alone: pair is no plain number
__global__ void ownArray(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = 128; h > 0; h >>= 1) {
    int pair[2] = {sh[threadIdx.x], sh[(threadIdx.x + h) % 256]};
    __syncthreads();
    if (threadIdx.x < h) sh[threadIdx.x] = pair[0] + pair[1];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `someLanes`: left alone: it is not known which lanes of a warp meet
__global__ void someLanes(const int* a, int* o, unsigned mask) {
  __shared__ int sh[256];
  int v = a[threadIdx.x];
  __syncthreads();
  for (int h = 16; h > 0; h >>= 1) v += __shfl_down_sync(mask, v, h);
  sh[threadIdx.x] = v;
  __syncthreads();
  o[threadIdx.x] = sh[0];
}

// CHECK: kernel `fewLanes`: left alone: not all lanes come to where they meet
__global__ void fewLanes(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 16) {
    int v = sh[threadIdx.x];
    for (int h = 16; h > 0; h >>= 1) v += __shfl_down_sync(0xffffffff, v, h);
    sh[threadIdx.x] = v;
  }
  __syncthreads();
  o[threadIdx.x] = sh[0];
}

// CHECK: kernel `storesToo`: left alone: its threads store to other memory than the block shares
__global__ void storesToo(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = 128; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    o[threadIdx.x] = h;
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `unused`: left alone: nothing uses what its threads put together
__global__ void unused(const int* a, int* o) {
  __shared__ int sh[256];
  sh[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int h = 128; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    __syncthreads();
  }
  o[threadIdx.x] = 1;
}

// CHECK: kernel `meets`: left alone: its threads do more than put values together
__global__ void meets(const int* a, int* o) {
  if (__any_sync(0xffffffff, a[threadIdx.x])) o[threadIdx.x] = 1;
}
