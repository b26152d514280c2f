// while and do loops with break and continue, assignments in conditions, nested loops left early.
__global__ void collatz(const unsigned* start, int* steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = start[i];
  int c = 0;
  do {
    if (v % 2 == 0) {
      v /= 2;
      c++;
      continue;
    }
    v = 3 * v + 1;
    c++;
  } while (v != 1 && c < 1000);
  steps[i] = c;
}

__global__ void listWalk(const int* next, const float* w, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, p, q;
  float s = 0;
  if (i < n) {
    p = i;
    while ((q = next[p]) >= 0) {
      if (q == i) break;
      p = q;
      if (w[p] < 0) continue;
      s += w[p];
    }
    out[i] = s;
  }
}

__global__ void findFirst(const int* m, int* pos, int rows, int cols, int key) {
  int found = -1;
  for (int r = threadIdx.x; r < rows && found < 0; r += blockDim.x) {
    int c = 0;
    while (true) {
      if (c == cols) break;
      if (m[r * cols + c] == key) {
        found = r * cols + c;
        break;
      }
      ++c;
    }
  }
  if (found >= 0) atomicMin(pos, found);
}
