template <class T> static void size(int* a) {
#pragma acc parallel loop copy(a[0 : 4])  // NOTE: size<T> runs on the host: several instantiations of its template have the same name, void size\(int \*\) \[T = T\]
  for (int i = 0; i < 4; ++i) a[i] = sizeof(T);
}
void one(int* a) {
  struct T {
    char z[3];
  };
  size<T>(a);
}
void two(int* a) {
  struct T {
    char z[5];
  };
  size<T>(a);
}
