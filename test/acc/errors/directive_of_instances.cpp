void g(int**);
template <int K> void f(int** a) {
#pragma acc data copy(a[0 : 4][K : 2])  // EXPECT: this directive differ between f<0> and f<5>
  { g(a); }
}
void h(int** a) {
  f<0>(a);
  f<5>(a);
}
