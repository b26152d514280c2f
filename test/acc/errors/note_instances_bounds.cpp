template <int S> static void add(int* a) {
#pragma acc parallel loop collapse(S) copy(a[0 : 8])  // NOTE: runs on the host: .* different bounds
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) a[4 * i + j] += S;
}
void f(int* a) {
  add<1>(a);
  add<2>(a);
}
