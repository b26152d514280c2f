"""What random OpenACC programs begin with, and their arrays."""

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned u32;
typedef unsigned short u16;
typedef unsigned long long u64;
typedef double f64;
typedef struct { u32 x; u16 y; u64 z; } rec;
static int __attribute__((noinline)) dim(int n) { return n; }
static u32 hash_of(const void *data, size_t bytes) {
  const unsigned char *p = (const unsigned char *)data;
  u32 h = 2166136261u;
  for (size_t i = 0; i < bytes; ++i) h = (h ^ p[i]) * 16777619u;
  return h;
}
static void fill(void *data, size_t bytes, u32 seed) {
  unsigned char *p = (unsigned char *)data;
  for (size_t i = 0; i < bytes; ++i) p[i] = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 24);
}
static void fill_f64(f64 *p, size_t n, u32 seed) {
  for (size_t i = 0; i < n; ++i) p[i] = (f64)((seed = seed * 1664525u + 1013904223u) >> 22) * 0.25;
}
#pragma acc routine seq
static u32 mix(u32 a, u32 b) {
  u32 h = a ^ (b << 3);
  for (int i = 0; i < 3; ++i) h = h % 5 ? h * 31u + b : h / 3 + 7u;
  return h;
}
static u32 pick(u32 a, u32 b, u32 c) { return a & 1 ? b : c; }
#pragma acc routine vector
static u32 row_of(u32 *row, int n, u32 k) {
  u32 sum = 0;
#pragma acc loop vector reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    row[i] = row[i] * 3u + k;
    sum += row[i];
  }
  return sum;
}
#pragma acc routine worker
static void plane_of(u32 *a, int m, int n, u32 k) {
#pragma acc loop worker
  for (int i = 0; i < m; ++i) {
    u32 t = mix(k, (u32)i);
#pragma acc loop vector
    for (int j = 0; j < n; ++j) a[i * n + j] ^= t + (u32)j;
  }
}
#pragma acc routine vector
static u32 peek_of(const u32 *row, int n, u32 k) {
  u32 all = k;
#pragma acc loop vector reduction(^ : all)
  for (int i = n - 1; i >= 0; --i) all ^= row[i] + k;
  if (all % 3u == 0) return all + 1u;
  u32 most = 0;
#pragma acc loop vector reduction(max : most)
  for (int i = 0; i < n; ++i) most = row[i] % 1000u > most ? row[i] % 1000u : most;
  return all ^ most;
}
#pragma acc routine worker
static void rows_of(u32 *a, int m, int n, u32 k) {
  u32 all = 0;
#pragma acc loop worker reduction(+ : all)
  for (int i = 0; i < m; ++i) {
    u32 one = peek_of(a + i * n, n, k);
    if (one % 5u == 0) continue;
    for (int t = 0; t < (int)(one % 3u); ++t) {
      one ^= row_of(a + i * n, n, one + (u32)t);
      if (one % 4u == 0) break;
    }
    all += one;
  }
  if (m > 0 && n > 0) a[0] ^= all;
}
#pragma acc routine gang
static void grid_of(u32 *a, int n, u32 k) {
#pragma acc loop gang vector
  for (int i = 0; i < n; ++i) a[i] = a[i] * 5u + (k ^ (u32)i);
}
"""


class Array:
    def __init__(self, name, kind, type_, dims, values):
        self.name, self.kind, self.type, self.dims, self.values = name, kind, type_, dims, values
        self.size = 1
        for v in values:
            self.size *= v

    def at(self, indices):
        if self.kind in ("static", "vla", "rows"):
            return self.name + "".join(f"[{i}]" for i in indices)
        text = indices[0]
        for d, i in zip(self.dims[1:], indices[1:]):
            text = f"({text}) * {d} + ({i})"
        return f"{self.name}[{text}]"

    def value(self, indices):
        """An unsigned int."""
        text = self.at(indices)
        if self.type == "rec":
            return f"({text}.x + {text}.y)"
        return text if self.type == "u32" else f"(u32){text}"

    def count(self):
        return " * ".join(self.dims)

    def section(self):
        if self.kind == "static":
            return self.name
        if self.kind == "vla":
            return f"{self.name}[0:{self.dims[0]}]"
        if self.kind == "rows":
            return f"{self.name}[0:{self.dims[0]}][0:{self.dims[1]}]"
        return f"{self.name}[0:{self.count()}]"

    def store(self, indices, value, add=False):
        text = self.at(indices)
        if self.type == "rec":
            return f"{text}.{'z' if add else 'x'} = {value};" if not add else f"{text}.y = (u16)({value}); {text}.z += 3;"
        if self.type == "f64":
            return f"{text} = (f64)(({value}) & 1023u) * 0.25;"
        cast = "" if self.type == "u32" else f"({self.type})"
        return f"{text} {'+=' if add else '='} {cast}({value});"
