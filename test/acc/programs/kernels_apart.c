/* Loops of kernels that may run in parallel only where pointers lead to memory of their own. */
#include <stdio.h>
#include <stdlib.h>

static void axpy(int n, float a, const float *x, float *y) {
#pragma acc kernels copyin(x[0:n]) copy(y[0:n])
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}

/* What is present decides: y may be x, or begin within it. */
static void shifted(int n, const float *x, float *y) {
#pragma acc kernels present(x[0:n], y[0:n])
  for (int i = 0; i < n; ++i) y[i] = x[i] * 0.5f + 1.0f;
}

static void lookedUp(int n, const int *x, int *y) {
#pragma acc kernels
  for (int i = 0; i < n; ++i) y[i] = x[i] + 1;
}

static void several(int n, const int *a, const int *b, int *c, int *d) {
#pragma acc parallel loop auto copyin(a[0:n], b[0:n]) copy(c[0:n], d[0:n])
  for (int i = 0; i < n; ++i) {
    c[i] = a[i] + b[i];
    d[i] = c[i] - 2 * a[i];
  }
}

static long sumInto(int n, const int *x, int *y) {
  long sum = 0;
#pragma acc kernels copyin(x[0:n]) copy(y[0:n])
  {
    for (int i = 0; i < n; ++i) y[i] = x[i] * x[i];
    for (int i = 0; i < n; ++i) sum += y[i] - x[i];
  }
  return sum;
}

static void rows(int n, int m, const double *x, double *y) {
#pragma acc kernels copyin(x[0:n * m]) copy(y[0:n * m])
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k) y[i * m + k] = x[i * m + k] + i;
}

static void floats(const char *what, int n, const float *x) {
  printf("%s:", what);
  for (int i = 0; i < n; ++i)
    if (i < 4 || i + 3 > n) printf(" %g", x[i]);
  printf("\n");
}
static void ints(const char *what, int n, const int *x) {
  printf("%s:", what);
  for (int i = 0; i < n; ++i)
    if (i < 4 || i + 3 > n) printf(" %d", x[i]);
  printf("\n");
}

int main() {
  const int sizes[] = {0, 1, 7, 1000};
  for (int k = 0; k < 4; ++k) {
    const int n = sizes[k];
    float *x = malloc((2 * n + 2) * sizeof *x), *y = malloc((2 * n + 2) * sizeof *y);
    int *p = malloc((2 * n + 2) * sizeof *p), *q = malloc((n + 1) * sizeof *q), *r = malloc((n + 1) * sizeof *r);
    double *u = malloc((n * 3 + 1) * sizeof *u), *v = malloc((n * 3 + 1) * sizeof *v);
    for (int i = 0; i < 2 * n + 2; ++i) x[i] = i % 13, y[i] = i % 7, p[i] = i % 11;
    for (int i = 0; i < n + 1; ++i) q[i] = i, r[i] = -i;
    for (int i = 0; i < n * 3 + 1; ++i) u[i] = i, v[i] = 0;
    axpy(n, 2, x, y);
    floats("apart", n, y);
#pragma acc data copy(y[0:n])
    axpy(n, 3, y, y);
    floats("the same", n, y);
    if (n > 0) {
#pragma acc data copy(x[0:2 * n + 2])
      {
        shifted(n, x, x + 1);
        shifted(n, x + 2, x);
        shifted(n, x, x);
        shifted(n, x, x + n);
      }
      floats("within one section", 2 * n + 2, x);
#pragma acc data copy(x[0:n + 1]) copyin(y[0:n])
      shifted(n, y, x);
      floats("two sections", n + 1, x);
    }
#pragma acc data copy(p[0:2 * n + 2], q[0:n + 1])
    {
      lookedUp(n, p, p + 1);
      lookedUp(n, q, p + n);
      lookedUp(n, p + 1, q);
    }
    ints("looked up", 2 * n + 2, p);
    ints("looked up", n + 1, q);
#pragma acc data copy(p[0:2 * n + 2], q[0:n + 1], r[0:n + 1])
    {
      several(n, p, q, q, r);
      several(n, p, r, q, r);
      several(n, p, q, r, p + n);
    }
    ints("several", 2 * n, p);
    ints("several", n, q);
    ints("several", n, r);
    printf("sum %ld", sumInto(n, p, q));
#pragma acc data copy(q[0:n + 1])
    printf(" %ld\n", sumInto(n, q, q));
    rows(n, 3, u, v);
#pragma acc data copy(v[0:n * 3 + 1])
    rows(n, 3, v, v);
    printf("rows %g %g\n", v[0], n ? v[3 * n - 1] : 0);
    free(x), free(y), free(p), free(q), free(r), free(u), free(v);
  }
  return 0;
}
