static int sum(int n) {
  int s = 0;
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < n; ++i) s += 2 * i;
  return s;
}

extern "C" int two() { return sum(10); }
