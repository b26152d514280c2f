// Prefix sums: Blelloch with bank-conflict offsets by macro, and Hillis-Steele with a double buffer.
#define LOG_BANKS 5
#define CONFLICT_FREE(n) ((n) + ((n) >> LOG_BANKS))

__global__ void prescan(const float* g_in, float* g_out, int n) {
  extern __shared__ float temp[];
  int thid = threadIdx.x, offset = 1;
  int ai = thid, bi = thid + n / 2;
  temp[CONFLICT_FREE(ai)] = g_in[ai];
  temp[CONFLICT_FREE(bi)] = g_in[bi];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int a = CONFLICT_FREE(offset * (2 * thid + 1) - 1);
      int b = CONFLICT_FREE(offset * (2 * thid + 2) - 1);
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  if (thid == 0) temp[CONFLICT_FREE(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int a = CONFLICT_FREE(offset * (2 * thid + 1) - 1);
      int b = CONFLICT_FREE(offset * (2 * thid + 2) - 1);
      float t = temp[a];
      temp[a] = temp[b];
      temp[b] += t;
    }
  }
  __syncthreads();
  g_out[ai] = temp[CONFLICT_FREE(ai)];
  g_out[bi] = temp[CONFLICT_FREE(bi)];
}

__global__ void scanDouble(const int* in, int* out) {
  __shared__ int buf[2][512];
  int t = threadIdx.x, n = blockDim.x;
  int pout = 0, pin = 1;
  buf[pout][t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset <<= 1) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (t >= offset)
      buf[pout][t] = buf[pin][t] + buf[pin][t - offset];
    else
      buf[pout][t] = buf[pin][t];
    __syncthreads();
  }
  out[t] = buf[pout][t];
}
