// run-on-host: loops
// Loops with geometric, negative, run-time and float steps, several updates, empty parts and infinite loops.
__global__ void loops(int* a, float* f, int n, int step) {
  int t = threadIdx.x, s = 0;
  for (int i = n; i > 0; i /= 2) s += a[i];
  for (int i = 1; i < n; i <<= 1) s ^= a[i];
  for (int i = n - 1; i >= 0; i--) s = s * 31 + a[i];
  for (int i = t; i < n; i += step) a[i] = s;
  for (unsigned m = 0x80000000u; m != 0; m >>= 1)
    if (s & m) ++s;
  for (float x = 0.0f; x < 1.0f; x += 0.125f) f[t] += x;
  for (;;) {
    if (s < 2) break;
    s = (s & 1) ? (3 * s + 1) / 2 : s / 2;
  }
  int i = 0;
  for (; i < n && a[i] != s;) i++;
  for (int lo = 0, hi = n; lo < hi;) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] < s)
      lo = mid + 1;
    else
      hi = mid;
  }
  for (int k = 0; k != 10; ++k)
    ;
  f[t] = i + s;
}
