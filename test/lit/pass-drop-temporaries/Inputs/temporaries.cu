// The square root is kept for nobody.
#pragma hone temporary(tmp)
__global__ void lengths(const float* a, float* tmp, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = a[i] * a[i];
  float extra = 0.0f;
  for (int k = 0; k < 4; ++k) extra += s * k;
  if (s > 0.5f) tmp[i] = sqrtf(s) + extra;
  o[i] = s;
}

// Counted all the same.
#pragma hone temporary(place) length(count=1)
__global__ void numbered(int* count, int* place, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  place[i] = atomicAdd(count, 1);
  o[i] = 1.0f;
}

#pragma hone temporary(tmp)
__global__ void steps(float* tmp, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tmp[i] = 2.0f * i;
  if (i < n) o[i] = tmp[i] + 1.0f;
}

#pragma hone temporary(t)
__global__ void clean(const float* t, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = t[i];
}

__global__ void silent(float* tmp, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tmp[i] = o[i] = 1.0f;
}
