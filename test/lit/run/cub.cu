// cub in kernels and over whole arrays, against plain loops.
// RUN: %hone run %s 2>&1 | FileCheck %s
// CHECK-NOT: finding
// CHECK: block sum 2016, of ten 45
// CHECK-NEXT: scans 0 differ, total 2080
// CHECK-NEXT: block sort 0 differ
// CHECK-NEXT: warp 0 differ
// CHECK-NEXT: exchange 0 differ
// CHECK-NEXT: sum 598500 of 598500, max 699, at 321
// CHECK-NEXT: scan 0 differ
// CHECK-NEXT: kept 1500 of 1500, 0 differ
// CHECK-NEXT: counted 1500 1500
// CHECK-NEXT: flagged 1000, runs 4: 3 1 2 1
// CHECK-NEXT: sorted 0 differ, by low bits 0 differ
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

template <int N> __global__ void block(const float* x, const int* k, float* sums, int* scanned, int* sorted, int* other) {
  using Reduce = cub::BlockReduce<float, N>;
  using Scan = cub::BlockScan<int, N>;
  using Sort = cub::BlockRadixSort<int, N, 2, int>;
  using Exchange = cub::BlockExchange<int, N, 2>;
  using Warp = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage forSums;
  __shared__ typename Scan::TempStorage forScans;
  __shared__ typename Sort::TempStorage forSorts;
  __shared__ typename Exchange::TempStorage forExchange;
  __shared__ typename Warp::TempStorage forWarps[N / 32];
  int t = threadIdx.x;
  float s = Reduce(forSums).Sum(x[t]);
  if (t == 0) sums[0] = s;
  __syncthreads();
  cub::Sum add;  // an object without members has no value to be set
  s = Reduce(forSums).Reduce(x[t], add, 10);
  if (t == 0) sums[1] = s;
  int before;
  Scan(forScans).ExclusiveSum(t, before);
  scanned[t] = before;
  __syncthreads();
  int total, two[2] = {t, 1};
  Scan(forScans).InclusiveSum(two, two, total);
  scanned[N + 2 * t] = two[0];
  scanned[N + 2 * t + 1] = two[1];
  if (t == 0) scanned[3 * N] = total;
  int key[2] = {k[2 * t], k[2 * t + 1]}, value[2] = {2 * t, 2 * t + 1};
  Sort(forSorts).Sort(key, value);
  for (int i = 0; i < 2; ++i) sorted[2 * t + i] = key[i], sorted[2 * N + 2 * t + i] = value[i];
  int w = Warp(forWarps[t / 32]).Sum(t);
  if (t % 32 == 0) other[t / 32] = w;
  int items[2] = {2 * t, 2 * t + 1};
  Exchange(forExchange).BlockedToStriped(items, items);
  for (int i = 0; i < 2; ++i) other[2 + i * N + t] = items[i];
}

struct IsEven {
  __device__ bool operator()(int x) const { return x % 2 == 0; }
};
template <class T> std::vector<T> back(const T* p, int n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
template <class T> T* there(const std::vector<T>& v) {
  T* p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main() {
  const int n = 3000, N = 64;
  std::vector<int> h(n), flags(n);
  std::vector<float> x(N);
  for (int i = 0; i < n; ++i) h[i] = i * 7919 % 1000 - 300, flags[i] = i % 3 == 1;
  for (int i = 0; i < N; ++i) x[i] = i;
  int *d = there(h), *o = there(h), *f = there(flags), *count = there(std::vector<int>(1));
  float *dx = there(x), *sums = there(std::vector<float>(2));
  int *scanned = there(std::vector<int>(3 * N + 1)), *sorted = there(std::vector<int>(4 * N)), *other = there(std::vector<int>(2 + 2 * N));
  block<N><<<1, N>>>(dx, d, sums, scanned, sorted, other);
  auto s = back(sums, 2);
  auto c = back(scanned, 3 * N + 1), r = back(sorted, 4 * N), w = back(other, 2 + 2 * N);
  printf("block sum %g, of ten %g\n", s[0], s[1]);
  int bad = 0;
  for (int i = 0, sum = 0; i < N; sum += i++) bad += c[i] != sum;
  for (int i = 0, sum = 0; i < 2 * N; ++i) bad += c[N + i] != (sum += i % 2 ? 1 : i / 2);
  printf("scans %d differ, total %d\n", bad, c[3 * N]);
  bad = 0;
  for (int i = 0; i < 2 * N; ++i) bad += (i && r[i] < r[i - 1]) || h[r[2 * N + i]] != r[i];
  printf("block sort %d differ\n", bad);
  printf("warp %d differ\n", (w[0] != 496) + (w[1] != 496 + 32 * 32));
  bad = 0;
  for (int i = 0; i < 2 * N; ++i) bad += w[2 + i] != i;
  printf("exchange %d differ\n", bad);

  void* temp = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(temp, bytes, d, count, n);
  cudaMalloc(&temp, bytes);
  cub::DeviceReduce::Sum(temp, bytes, d, count, n);
  int sum = 0;
  for (int v : h) sum += v;
  cub::KeyValuePair<int, int>* pair;
  cudaMalloc(&pair, sizeof *pair);
  cub::DeviceReduce::ArgMax(temp, bytes, d, pair, n);
  auto most = back(pair, 1)[0];
  printf("sum %d of %d, max %d, at %d\n", back(count, 1)[0], sum, most.value, most.key);
  cub::DeviceScan::ExclusiveSum(temp, bytes, d, o, n);
  auto v = back(o, n);
  bad = 0;
  for (int i = 0, before = 0; i < n; before += h[i++]) bad += v[i] != before;
  printf("scan %d differ\n", bad);
  cub::DeviceSelect::If(temp, bytes, d, o, count, n, IsEven());
  v = back(o, n);
  int at = 0;
  bad = 0;
  for (int one : h)
    if (one % 2 == 0) bad += v[at++] != one;
  printf("kept %d of %d, %d differ\n", back(count, 1)[0], at, bad);
  // Counts of bools are no bools.
  cub::TransformInputIterator<bool, IsEven, int*> even(d, IsEven());
  long long* many;
  cudaMalloc(&many, sizeof *many);
  cub::DeviceReduce::Sum(temp, bytes, even, many, n);
  cub::DeviceScan::InclusiveSum(temp, bytes, even, o, n);
  printf("counted %lld %d\n", back(many, 1)[0], back(o, n)[n - 1]);
  cub::DeviceSelect::Flagged(temp, bytes, d, f, o, count, n);
  printf("flagged %d, ", back(count, 1)[0]);
  int *runs = there(std::vector<int>{5, 5, 5, 1, 7, 7, 5}), *lengths = there(std::vector<int>(7));
  cub::DeviceRunLengthEncode::Encode(temp, bytes, runs, o, lengths, count, 7);
  auto l = back(lengths, 7);
  printf("runs %d: %d %d %d %d\n", back(count, 1)[0], l[0], l[1], l[2], l[3]);
  cub::DeviceRadixSort::SortKeys(temp, bytes, d, o, n);
  v = back(o, n);
  bad = 0;
  for (int i = 1; i < n; ++i) bad += v[i] < v[i - 1];
  cub::DeviceRadixSort::SortKeys(temp, bytes, d, o, n, 0, 4);
  v = back(o, n);
  int badBits = 0;
  for (int i = 1; i < n; ++i) badBits += (v[i] & 15) < (v[i - 1] & 15);
  printf("sorted %d differ, by low bits %d differ\n", bad, badBits);
}
