// Regions that programs include.
static void add_all(int* a, int n, int k) {
#pragma acc parallel loop copy(a[0 : n])
  for (int i = 0; i < n; ++i) a[i] += k;
}
static int sum_all(const int* a, int n) {
  int sum = 0;
#pragma acc parallel loop copyin(a[0 : n]) reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += a[i];
  return sum;
}
