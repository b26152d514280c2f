void f(int n, int *a, int *b) {
#pragma acc set if(n)  // EXPECT: OpenACC 'set' construct must have at least one
}
