// Data that give NaN say nothing, so others are tried: an optimizer step wants numbers between 0 and 1.
// RUN: %hone verify %s --kernel step --with step | FileCheck --check-prefix=SAME %s
// SAME: kernel `step`: equal in 7 runs
// SAME: inputs and numbers between 0 and 1: with others the original gives NaN
// RUN: not %hone verify %s --kernel step --with step_wrong | FileCheck --check-prefix=WRONG %s
// WRONG: kernel `step`: NOT EQUAL in 7 of 7 runs
// RUN: %hone opt %s --kernel step --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=OPT %s
// OPT: kernel `step`: rewritten beside the original
__global__ void step(float* p, const float* g, float* m, float* v, float rate, float beta1, float beta2, float eps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  m[i] = beta1 * m[i] + (1.0f - beta1) * g[i];
  v[i] = beta2 * v[i] + (1.0f - beta2) * g[i] * g[i];
  p[i] -= rate * m[i] / (sqrtf(v[i]) + eps);
}
__global__ void step_wrong(float* p, const float* g, float* m, float* v, float rate, float beta1, float beta2, float eps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  m[i] = beta1 * m[i] + (1.0f - beta1) * g[i];
  v[i] = beta2 * v[i] + (1.0f - beta2) * g[i] * g[i];
  p[i] -= rate * m[i] / (sqrtf(v[i]) - eps);
}

// Some results are NaN whatever the data: the others are compared.
// RUN: %hone verify %s --kernel part --with part | FileCheck --check-prefix=PART %s
// PART: kernel `part`: equal in 6 runs
// PART: NaN in both: {{[0-9]+}} elements of 'b', not compared
// RUN: not %hone verify %s --kernel part --with part_wrong | FileCheck --check-prefix=PART-WRONG %s
// PART-WRONG: kernel `part`: NOT EQUAL in {{[0-9]}} of {{[0-9]}} runs
// PART-WRONG: different results in b[1]: {{.*}} and {{-?}}nan
__global__ void part(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = i % 3 ? a[i] : (a[i] - a[i]) / 0.0f;
}
__global__ void part_wrong(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = i % 3 > 1 ? a[i] : (a[i] - a[i]) / 0.0f;
}
