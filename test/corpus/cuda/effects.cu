// run-on-host: conditions values exposed
// Side effects where order matters: in loop conditions with continue, in ternaries, short-circuits, returns, initialisers and arguments.
__device__ int next(int* state) {
  *state = *state * 1103515245 + 12345;
  return (*state >> 16) & 0x7fff;
}

__device__ int take(const int*& p) { return *p++; }

__device__ int pick(int* a, int i) { return a[i]++ > 2 ? i + a[i + 1] : a[i--] = i; }

__global__ void conditions(int* a, const int* b, int n) {
  int i = 0, j = n, s = threadIdx.x;
  while (i++ < n && --j > 0) {
    if (b[i] == 0) continue;
    s += b[j];
  }
  do {
    if (a[j] == s) continue;
    s -= a[j++];
  } while (j++ < n || s-- > 100);
  for (int k = 0; next(&s) % 7 != 0; k += b[k] ? 1 : 2) {
    if (k & 1) continue;
    a[k] = s;
  }
  for (int k = n; k-- > 0;) a[k]++;
  for (int k = 0, m; (m = b[k]) != 0; ++k) a[m] = k;
  a[0] = s + i + j;
}

__global__ void values(int* a, const int* b, int n) {
  int s = b[threadIdx.x];
  const int* p = b;
  int x = next(&s) + 1;
  int y = s > 0 ? next(&s) : (x = 3, x + s);
  bool both = next(&s) > 10 && next(&s) > 20;
  bool either = next(&s) > 10 || next(&s) > 20;
  a[next(&s) & 7] = take(p);
  a[take(p) & 7] += take(p) * 2;
  int v[3] = {take(p), take(p), next(&s)};
  int z = (x += 2) * (y -= 1);
  z = -(x++) + (y = z);
  a[1] = both + either * 2 + v[0] + v[1] * v[2] + z;
  a[2] = pick(a, n & 7);
  a[3] = (x > y ? x : y)++;
  (both ? x : y) += 5;
  if (int q = next(&s)) a[4] = q;
  switch (int q = take(p)) {
    case 1: a[5] = q + 1; break;
    default: a[5] = s;
  }
  a[6] = x + y + atomicAdd(&a[7], 1) + (either ? atomicAdd(&a[8], 2) : 0);
}

__device__ int seen(int v, const int* q) { return v + *q * 100; }

__global__ void exposed(int* out) {
  int i = threadIdx.x;
  int* q = &i;
  out[0] = seen(i++, q);
  *q = i++;
  out[1] = i;
}
