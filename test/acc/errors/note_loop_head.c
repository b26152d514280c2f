// The head of a loop that all threads follow may only count: here it writes what they share.
void f(int n, int *a) {
#pragma acc parallel copy(a[0:n])
  {
    for (a[0] = 3; a[0] < 7; a[0] += 1) {  // NOTE: the head of a loop around loops of threads does more than count
#pragma acc loop vector
      for (int j = 1; j < n; ++j) a[j] = 1;
    }
  }
}
