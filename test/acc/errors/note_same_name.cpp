template <class T> static void size(int* a) {
#pragma acc parallel loop copy(a[0 : 4])  // NOTE: several instantiations .* have the same name, .*T = T
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
