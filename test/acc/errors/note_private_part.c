// Private parts of what is neither an array nor a pointer, and sections whose bounds the region works out itself.
struct pair {
  int first, second;
};
void part(int n, int *a) {
  struct pair p;
#pragma acc parallel loop private(p.first) copy(a[0:n])  // NOTE: private with a part of a variable that is no section of a pointer; name the whole variable
  for (int i = 0; i < n; ++i) {
    p.first = i;
    a[i] = p.first;
  }
}
void bounds(int n, int *a, int *t) {
#pragma acc parallel copy(a[0:n])
  {
    int m = a[0];
#pragma acc loop gang private(t[0:m])  // NOTE: private section 't\[0:m\]' whose bounds are not known before the region
    for (int i = 0; i < n; ++i) {
      t[0] = i;
      a[i] = t[0];
    }
  }
}
