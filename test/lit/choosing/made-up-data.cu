// Which elements threads touch hangs on data, which are made up as sizes are.
// RUN: %hone opt %s --target h200 -o %t.cu 2>&1 | FileCheck %s
// CHECK: kernel `spread`: left as it is: {{.*}} at the guessed --set n={{.*}}, with contents of its arrays that are made up (--input); {{.*}}give what it is launched with
__global__ void spread(const int* first, const int* next, int* cost, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = first[i]; j < first[i] + 4; ++j) cost[next[j & 255] & 63] = cost[i] + 1;
}
void launch(const int* first, const int* next, int* cost, int n) {
  spread<<<(n + 255) / 256, 256>>>(first, next, cost, n);
}
