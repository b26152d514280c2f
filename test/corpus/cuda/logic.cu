// run-on-host: logic
// Boolean logic: short-circuit with effects, negations, chained comparisons, mixed bit and logical operators, nested ternaries.
__device__ bool inside(int x, int y, int w, int h) { return x >= 0 && y >= 0 && x < w && y < h; }

__device__ int countdown(int* c) { return (*c)--; }

__global__ void logic(int* a, const bool* m, int w, int h) {
  int i = threadIdx.x, budget = 5;
  bool p = a[i] != 0, q = !p ^ m[i];
  bool r = p && q || !(p || q);
  if (i > 0 && a[i - 1] > 0 && countdown(&budget) > 0) a[i] = 1;
  if (a[i] < 0 || countdown(&budget) || m[i + 1]) a[i]++;
  a[i] += r ? p ? 1 : 2 : q ? 3 : 4;
  a[i] = !a[i] + !!budget - (p == q) + (a[i] & 1 && a[i] & 2) + (w < h == p);
  int ok = inside(i, i + 1, w, h) && (a[i] | 4) == 5;
  if (!ok) return;
  if (!(a[i] > 3))
    if (p)
      a[i] = 7;
    else
      a[i] = 8;
  else {
    ;
  }
  a[i] = -a[i] - -3 + +5 - ~a[i] * (a[i] - (w - h)) % (1 + i * i) / (2 - (3 + w));
  a[i] = (a[i] + w) * 2 - (w - (h - 1)) - (w << 1 + i) + ((w & h) == 0) + (w & (h == 0));
}
