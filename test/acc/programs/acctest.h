// What the programs of this folder share: sizes, data, and short words for what came out.
#ifndef ACCTEST_H
#define ACCTEST_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What holds only where constructs are obeyed: copies of one's own. */
#ifdef _OPENACC
#define IN_ACC(condition) ((condition) ? 1 : 0)
#else
#define IN_ACC(condition) 1
#endif

static const int test_sizes[] = {0, 1, 2, 33, 257, 1025};
#define FOR_SIZES(n)           \
  for (int size_at = 0, n = 0; \
       size_at < (int)(sizeof(test_sizes) / sizeof(int)) && (n = test_sizes[size_at], 1); ++size_at)

/* Never null, also where n is 0. */
static inline int* new_ints(int n, int seed) {
  int* a = (int*)malloc((size_t)(n + 1) * sizeof(int));
  for (int i = 0; i <= n; ++i) a[i] = (int)(((unsigned)i * 37u + (unsigned)seed * 11u) % 201u) - 100;
  return a;
}

static inline double* new_doubles(int n, int seed) {
  double* a = (double*)malloc((size_t)(n + 1) * sizeof(double));
  for (int i = 0; i <= n; ++i) a[i] = (double)((i * 29 + seed) % 64) * 0.25;
  return a;
}

static inline unsigned hash_of(const void* data, size_t bytes) {
  const unsigned char* p = (const unsigned char*)data;
  unsigned h = 2166136261u;
  for (size_t i = 0; i < bytes; ++i) h = (h ^ p[i]) * 16777619u;
  return h;
}

static inline void show(const char* what, const int* a, int n) {
  printf("%s[%d]: %08x", what, n, hash_of(a, (size_t)n * sizeof(int)));
  for (int i = 0; i < n && i < 4; ++i) printf(" %d", a[i]);
  printf("\n");
}

static inline void show_doubles(const char* what, const double* a, int n) {
  printf("%s[%d]: %08x", what, n, hash_of(a, (size_t)n * sizeof(double)));
  for (int i = 0; i < n && i < 4; ++i) printf(" %g", a[i]);
  printf("\n");
}
#endif
