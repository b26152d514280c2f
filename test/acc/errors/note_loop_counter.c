// Kernels constructs have copies of the counters that are declared around them: all threads share these.
int f(int n, int k, int *a) {
  int i, j, x = 0;
#pragma acc kernels copy(a[0:n])
  for (i = 0; i < n; i++) {  // NOTE: the head of a loop around loops of threads counts with 'i', whose value is wanted behind the region, so that the threads share it; declare a counter in the head
    for (j = 0; j < k; j++) x = j;
    a[i] = x;
  }
  return x + i + j;
}
