// A sum that the iterations of an independent loop make together, without a clause that says so.
// RUN: %hone acc --explain %s | FileCheck %s
// RUN: %hone acc -O0 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BUILD --implicit-check-not=warning
// RUN: %hone acc -O0 -w -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
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
void g(int n, double (*a)[64], double* x, const double* y, double* z) {
#pragma acc parallel loop copyin(a[0 : n], y[0 : 64]) copy(x[0 : n], z[0 : 64])
  for (int i = 0; i < n; ++i) {
#pragma acc loop vector
    for (int j = 0; j < 64; ++j) {
      x[i] += a[i][j] * y[j];
      z[j] = z[j] + 1;
    }
#pragma acc loop seq
    for (int j = 0; j < 64; ++j) x[i] += a[i][j];
#pragma acc loop vector
    for (int j = 0; j < 64; ++j) {
#pragma acc atomic update
      x[i] += a[i][j];
      if (j == 3) x[i] = x[i] * 2;
    }
  }
}
// CHECK: loop in line 7: gang vector: loops of parallel are independent unless they say otherwise; its iterations write most together, for which reduction(max:most) is missing
// CHECK: loop in line 12:
// CHECK-NOT: is missing
// CHECK: loop in line 24: vector: {{.*}}; its iterations write x[i] together; a variable with reduction(+:…) has to take its place there
// CHECK-NOT: together
// BUILD: missing_reduction.c:7: warning: its iterations write most together, for which reduction(max:most) is missing
// BUILD: missing_reduction.c:24: warning: its iterations write x[i] together; a variable with reduction(+:…) has to take its place there
// QUIET-NOT: together
