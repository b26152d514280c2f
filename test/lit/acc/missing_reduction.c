// A sum that the iterations of an independent loop make together, without a clause that says so.
// RUN: %hone acc --explain %s | FileCheck %s
double f(int n, const double* x) {
  double most = 0, sum = 0, once = 0, counted = 0;
#pragma acc parallel loop copyin(x[0 : n]) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    sum += x[i];
    if (x[i] > most) most = x[i];
  }
#pragma acc parallel loop copyin(x[0 : n]) copy(counted)
  for (int i = 0; i < n; ++i) {
    double own = x[i];
    own += 1;
#pragma acc atomic update
    counted += own;
  }
  return most + sum + once + counted;
}
// CHECK: loop in line 5: gang vector: loops of parallel are independent unless they say otherwise; its iterations write most together, for which reduction(max:most) is missing
// CHECK: loop in line 10:
// CHECK-NOT: is missing
