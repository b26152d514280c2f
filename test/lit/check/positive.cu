// Loops that made-up contents keep from ending end with numbers above zero. What these would hide is found all the same.
// RUN: %hone check %s --kernel halvings | FileCheck --check-prefix=HALVINGS %s
// HALVINGS: kernel `halvings`: clean
// RUN: not %hone check %s --kernel volumes | FileCheck --check-prefix=VOLUMES %s
// VOLUMES: positive.cu:[[@LINE+9]]: error: race in global memory, bad[0]
// To choose a recipe, such a finding of made-up contents is not in the way; what is wrong with any contents is.
// RUN: %hone opt %s --target h200 --diff 2>&1 | FileCheck --check-prefix=OPT %s
// OPT-NOT: kernel `volumes`: left as it is: no valid launch found
// OPT-NOT: kernel `halvings`: left as it is: its threads
// OPT: kernel `wrong`: left as it is: no valid launch found
__global__ void volumes(const double* v, double* out, int* bad, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (v[i] <= 0.0) bad[0] = i;
  out[i] = 1.0 / v[i];
}

__global__ void halvings(const float* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float y = in[i];
  int count = 0;
  while (y < 1.0f) {
    y *= 2.0f;
    ++count;
  }
  out[i] = count;
}

__global__ void wrong(const double* v, double* out, int* bad, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (v[i] < 1e30) bad[0] = i;
  out[i] = 1.0 / v[i];
}
