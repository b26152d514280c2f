// The step of an inner loop hangs on the outer one's counter: an error, and no kernel either.
void f(int n, int *a) {
#pragma acc parallel loop collapse(2) copy(a[0:n])
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; j += i + 1) a[j] = 1;  // EXPECT: 'collapse' takes in a loop whose bounds hang on 'i'
}
void g(int n, int *a) {
#pragma acc parallel loop collapse(2) copy(a[0:n])
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; j += i + 1) a[j] = 1;  // NOTE: the bounds of a collapsed loop hang on the counter of a loop around it
}
