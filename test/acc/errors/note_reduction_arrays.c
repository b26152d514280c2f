// Reductions that OpenACC allows and Clang does not take.
typedef struct {
  int n;
  double d[3];
} S;
int f(int n) {
  int m[2][2] = {{1, 2}, {3, 4}};
  S s = {1, {2, 3, 4}};
#pragma acc parallel loop reduction(+ : m)  // NOTE: a reduction of arrays in arrays or structs
  for (int i = 0; i < n; ++i) m[i & 1][(i >> 1) & 1] += i;
#pragma acc parallel loop reduction(+ : s)  // NOTE: a reduction of arrays in arrays or structs
  for (int i = 0; i < n; ++i) {
    s.n += i;
    s.d[i % 3] += i;
  }
  return m[1][1] + s.n;
}
