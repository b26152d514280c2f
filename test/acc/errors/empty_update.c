void f(int n, int *a, int *b) {
#pragma acc update if_present  // EXPECT: OpenACC 'update' construct must have at least one
}
