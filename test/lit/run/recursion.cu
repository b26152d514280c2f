// Functions that call themselves: lanes at different depths, returns in loops, pointers to variables of callers.
// RUN: %hone run %s | FileCheck %s
// RUN: %hone run --schedule random:3 %s | FileCheck %s
// CHECK: ackermann 0
// CHECK-NEXT: permutations 0
// CHECK-NEXT: mutual 0
// CHECK-NEXT: sorted 0
// CHECK-NEXT: pairs 0
// CHECK-NEXT: exchanged 0
#include <cstdio>
#include <cstring>

#define BOTH __host__ __device__

BOTH int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

// Sums weights of all orders of the digits; leaves the loop early in some lanes.
BOTH long long permutations(int* digits, int from, int count, long long weight, int stopAt) {
  if (from == count) return weight;
  long long sum = 0;
  for (int i = from; i < count; ++i) {
    int copy[6];
    for (int k = 0; k < count; ++k) copy[k] = digits[k];
    copy[from] = digits[i];
    copy[i] = digits[from];
    if (copy[from] == stopAt) continue;
    sum += permutations(copy, from + 1, count, weight * 10 + copy[from], stopAt);
    if (sum % 7 == 3) return sum;
  }
  return sum;
}

BOTH bool isOdd(unsigned n);
BOTH bool isEven(unsigned n) { return n == 0 ? true : isOdd(n - 1); }
BOTH bool isOdd(unsigned n) { return n == 0 ? false : isEven(n - 1); }

BOTH void sort(float* a, int low, int high) {
  if (low >= high) return;
  const float pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (pivot < a[j]) --j;
    if (i > j) break;
    const float t = a[i];
    a[i++] = a[j];
    a[j--] = t;
  }
  sort(a, low, j);
  sort(a, i, high);
}

struct Pair {
  double low, high;
  int depth;
};

// The caller's variables are written through references.
BOTH Pair widest(double low, double high, int level, int& visited) {
  ++visited;
  Pair mine{low, high, level};
  if (level == 0 || high - low < 0.1) return mine;
  const double middle = low + (high - low) / (2 + level % 2);
  int left = 0, right = 0;
  const Pair a = widest(low, middle, level - 1, left), b = widest(middle, high, level - 1, right);
  visited += left + right;
  const Pair& best = a.high - a.low > b.high - b.low ? a : b;
  mine.low += best.low;
  mine.high -= best.high;
  mine.depth += best.depth;
  return mine;
}

// Every lane exchanges with its neighbour at each depth; all lanes are equally deep.
__device__ int exchanged(int value, int depth) {
  if (depth == 0) return value;
  const int other = __shfl_xor_sync(0xffffffff, value, 1 << (depth % 5));
  return exchanged(value + other * depth, depth - 1) + value;
}

__global__ void run(int* ack, long long* perms, int* odd, float* data, Pair* pairs, int* visited, int* traded) {
  const int t = threadIdx.x;
  ack[t] = ackermann(t % 3, t % 5);
  int digits[6] = {1, 2, 3, 4, 5, 6};
  perms[t] = permutations(digits, 0, 3 + t % 3, 0, t % 7);
  if (t % 3) odd[t] = isOdd(t);
  else odd[t] = 2 + isEven(t);
  sort(data + 16 * t, 0, t % 16);
  visited[t] = 0;
  pairs[t] = widest(0.25 * t, 1.0 + t, t % 6, visited[t]);
  traded[t] = exchanged(t, 4);
}

constexpr int threads = 64;

template <class T> T* filled(const T* from, int n) {
  T* p;
  cudaMalloc(&p, n * sizeof(T));
  cudaMemcpy(p, from, n * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int trade(const int* value, int lane, int depth) {
  if (depth == 0) return value[lane];
  int next[threads];
  for (int l = 0; l < threads; ++l) next[l] = value[l] + value[l ^ (1 << (depth % 5))] * depth;
  return trade(next, lane, depth - 1) + value[lane];
}

int main() {
  static int ack[threads], odd[threads], visited[threads], traded[threads];
  static long long perms[threads];
  static float data[threads * 16], sorted[threads * 16];
  static Pair pairs[threads];
  std::memset(pairs, 0, sizeof pairs);
  for (int i = 0; i < threads * 16; ++i) data[i] = float((i * 7919) % 1009);
  int *dAck = filled(ack, threads), *dOdd = filled(odd, threads), *dVisited = filled(visited, threads),
      *dTraded = filled(traded, threads);
  long long* dPerms = filled(perms, threads);
  float* dData = filled(data, threads * 16);
  Pair* dPairs = filled(pairs, threads);
  run<<<1, threads>>>(dAck, dPerms, dOdd, dData, dPairs, dVisited, dTraded);
  cudaMemcpy(ack, dAck, sizeof ack, cudaMemcpyDeviceToHost);
  cudaMemcpy(perms, dPerms, sizeof perms, cudaMemcpyDeviceToHost);
  cudaMemcpy(odd, dOdd, sizeof odd, cudaMemcpyDeviceToHost);
  cudaMemcpy(sorted, dData, sizeof sorted, cudaMemcpyDeviceToHost);
  cudaMemcpy(pairs, dPairs, sizeof pairs, cudaMemcpyDeviceToHost);
  cudaMemcpy(visited, dVisited, sizeof visited, cudaMemcpyDeviceToHost);
  cudaMemcpy(traded, dTraded, sizeof traded, cudaMemcpyDeviceToHost);
  int wrong[6] = {};
  int lanes[threads];
  for (int t = 0; t < threads; ++t) lanes[t] = t;
  for (int t = 0; t < threads; ++t) {
    wrong[0] += ack[t] != ackermann(t % 3, t % 5);
    int digits[6] = {1, 2, 3, 4, 5, 6};
    wrong[1] += perms[t] != permutations(digits, 0, 3 + t % 3, 0, t % 7);
    wrong[2] += odd[t] != (t % 3 ? t % 2 : 2 + (t % 2 == 0));
    sort(data + 16 * t, 0, t % 16);
    wrong[3] += std::memcmp(data + 16 * t, sorted + 16 * t, 16 * sizeof(float)) != 0;
    int seen = 0;
    const Pair p = widest(0.25 * t, 1.0 + t, t % 6, seen);
    wrong[4] += p.low != pairs[t].low || p.high != pairs[t].high || p.depth != pairs[t].depth || seen != visited[t];
    wrong[5] += traded[t] != trade(lanes, t, 4);
  }
  const char* const names[6] = {"ackermann", "permutations", "mutual", "sorted", "pairs", "exchanged"};
  for (int i = 0; i < 6; ++i) std::printf("%s %d\n", names[i], wrong[i]);
}
