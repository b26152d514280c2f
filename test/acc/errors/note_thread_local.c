static _Thread_local int mine;
void f(int n, int *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] = mine;  // NOTE: thread-local
}
