// What stands behind "is not known" where stage leaves an array alone: addresses, conditions and iterations that hone does not follow.
// RUN: %hone opt %s --recipe 'block(x=64) stage(a)' -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'stage(a)' --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=OWN %s

#define ID int x = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: :[[#@LINE+3]]: kernel `counts`: left alone: `a` is not staged: the address of a#1 is not known: the result of `popcount`
__global__ void counts(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  if (x < n) o[x] = a[__popc(x)];
}

// CHECK: :[[#@LINE+3]]: kernel `asks`: left alone: `a` is not staged: when a#1 happens is not known: happens under a condition that is not known: tests a pointer
__global__ void asks(const float* __restrict__ a, float* __restrict__ o, const float* __restrict__ mask, int n) {
  ID;
  if (x < n && mask) o[x] = a[x] + a[x + 1];
}

// CHECK: :[[#@LINE+3]]: kernel `scales`: left alone: `a` is not staged: the address of a#1 is not known: a conversion
__global__ void scales(const float* __restrict__ a, float* __restrict__ o, float by, int n) {
  ID;
  if (x < n) o[x] = a[int(x * by)];
}

// CHECK: :[[#@LINE+6]]: kernel `grows`: left alone: `a` is not staged: the address of a#1 is not known: `k` changes from iteration to iteration in loop `L1`
__global__ void grows(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  float s = 0;
  int k = 1;
  for (int i = 0; i < n; ++i) {
    s += a[k];
    k = k * 3 + 1;
  }
  o[x] = s;
}

// CHECK: :[[#@LINE+3]]: kernel `shares`: left alone: `a` is not staged: the address of a#1 is not known: division by a value that varies
__global__ void shares(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  if (x < n) o[x] = a[n / (x + 1)];
}

// CHECK: :[[#@LINE+5]]: kernel `until`: left alone: `a` is not staged: when a#1 happens is not known: loop L1 may end early: compares s with limit
__global__ void until(const float* __restrict__ a, float* __restrict__ o, float limit, int n) {
  ID;
  float s = 0;
  for (int k = 0; k < n && s < limit; ++k)
    for (int i = 0; i < n; ++i) s += a[i];
  o[x] = s;
}

// CHECK: :[[#@LINE+5]]: kernel `roots`: left alone: `a` is not staged: when a#1 happens is not known: the condition of loop L1 is not linear in its counter
__global__ void roots(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  float s = 0;
  for (int k = 0; k * k < n; ++k)
    for (int i = 0; i < n; ++i) s += a[i];
  o[x] = s;
}

// CHECK: :[[#@LINE+5]]: kernel `searches`: left alone: `a` is not staged: the address of a#1 is not known: `k` as loop `L1` leaves it
__global__ void searches(const float* __restrict__ a, const int* __restrict__ at, float* __restrict__ o, int n) {
  ID;
  int k = 0;
  while (at[k] < x) ++k;
  o[x] = a[k];
}

struct Key {
  int key;
};
struct Weight {
  float weight;
};
struct Item : Key, Weight {};
// CHECK: :[[#@LINE+3]]: kernel `derived`: left alone: `a` is not staged: the address of a#1 is not known: a base class after the first
__global__ void derived(const Item* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  if (x < n) o[x] = a[x].weight + a[x + 1].weight;
}

// CHECK: :[[#@LINE+4]]: kernel `huge`: left alone: `a` is not staged: the address of a#1 is not known: numbers that outgrow 64 bits
__global__ void huge(const float* __restrict__ a, float* __restrict__ o, long n) {
  ID;
  long far = n * 3000000000000000000;
  o[x] = a[far * 5 + x];
}

// CHECK: :[[#@LINE+6]]: kernel `pointed`: left alone: `a` is not staged: the address of a#1 is not known: `k` may change through a pointer
__global__ void pointed(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  int k = x;
  int* p = &k;
  *p += n;
  o[x] = a[k];
}

// CHECK: :[[#@LINE+3]]: kernel `either`: left alone: `a` is not staged: the address of a#1 is not known: `value` depends on a condition: compares b[x] with value
__global__ void either(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ o, int n) {
  ID;
  if (x < n) o[x] = a[b[x] > 0 ? x : 2 * x];
}

// CHECK: :[[#@LINE+5]]: kernel `unset`: left alone: `a` is not staged: the address of a#1 is not known: `k` is not set
__global__ void unset(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  int k;
  if (o[x] > 0) k = 3;
  o[x] = a[k];
}

// CHECK: :[[#@LINE+5]]: kernel `strips`: left alone: `a` is not staged: which elements of a are read is not known exactly: the step m is known at run time only
__global__ void strips(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  ID;
  float s = 0;
  for (int i = 0; i < n; i += m)
    for (int j = 0; j < m; ++j) s += a[i + j];
  o[x] = s;
}

// CHECK: :[[#@LINE+4]]: kernel `ordered`: left alone: `a` is not staged: when a#2 happens is not known: happens under a condition that is not known: compares a[x] with end
__global__ void ordered(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  const float* end = o + n;
  if (a + x < end) o[x] = a[x] + a[x + 1];
}

// OWN: :[[#@LINE+3]]: kernel `bits`: left alone: `a` is not staged: which elements of a are read is not known exactly: bit operation on two unknowns (n ^ (64*blockIdx.x + threadIdx.x))
__global__ void bits(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  if ((x ^ n) < 64) o[x] = a[threadIdx.x] + a[threadIdx.x + 1];
}

// OWN: :[[#@LINE+3]]: kernel `products`: left alone: `a` is not staged: which elements of a are read is not known exactly: product of unknowns (blockIdx.x*m)
__global__ void products(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  ID;
  if (x * m < n) o[x] = a[threadIdx.x] + a[threadIdx.x + 1];
}
