// Bit-fields have no address that threads could change at once.
typedef struct {
  int n : 3, m;
} bits;
void f(int n, bits *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i) {
#pragma acc atomic
    a[0].n += i;  // NOTE: an atomic construct changes a bit-field
  }
}
