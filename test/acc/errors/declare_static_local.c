void f(int n, int *a, int *b) {
#pragma acc declare copyin(a[0:n]) present(a[0:n])  // EXPECT: variable referenced in 'present' clause of OpenACC 'declare' directive
}
