// Cases without braces of their own in which something is declared.

// grid: 2
// block: 64
// set: n=100
// recipe: block(x=32)
__global__ void byUser(int* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = i;
  switch (i & 3) {
    case 0: s++; break;
    case 1: s -= 4;
    default: int q = s * 3; s = q + q * q;
  }
  o[i] = s;
}

// What a step needs before it.
// grid: 2
// block: 64
// set: n=100
// recipe: block(x=32)
__global__ void bySteps(int* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = 0, t[4] = {0};
  switch (i & 3) {
    case 0: t[k++] = k; break;
    case 1: t[k++] += k;
    case 2: { t[k] += i; k += t[k]++; } break;
    default: t[k++] = 3 * k;
  }
  o[i] = t[0] * 7 + t[1] + k;
}
