__global__ void add_step(const int* in, int* out, int n, int p);

void one_step(const int* in, int* out, int n) {
  add_step<<<(n + 63) / 64, 64>>>(in, out, n, 1);
}

void more_steps(int* in, int* out, int n) {
  for (int p = 1; p < n; p *= 3) add_step<<<(n + 63) / 64, 64>>>(in, out, n, p);
}
