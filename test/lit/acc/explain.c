/* What hone acc made of the constructs, for people and for programs.
   RUN: %hone acc --explain %s | FileCheck %s
   RUN: %hone acc --explain --json %s | FileCheck --check-prefix=JSON %s
*/
void f(int n, const float *restrict x, float *restrict y) {
#pragma acc data copyin(x[0:n])
  {
#pragma acc kernels copy(y[0:n])
    {
      for (int i = 0; i < n; ++i) y[i] += x[i];
      for (int i = 1; i < n; ++i) y[i] += y[i - 1];
    }
  }
#pragma acc update self(y[0:1]) if_present
}
void g(int n, double *restrict s) {
  double c[64], a[64][64], sum = 0, product = 1;
#pragma acc kernels copyout(c, a)
  {
    for (int i = 1; i < 64; ++i) c[i] = c[i - 1] + 1;
    for (int i = 1; i < 64; ++i) a[i][0] = a[i - 1][0] + 1;
  }
#pragma acc kernels copyin(s[0:n])
  for (int i = 0; i < n; ++i) {
    sum += s[i];
    product *= s[i];
  }
  s[0] = sum + product + a[3][0];
}
/* CHECK: explain.c:8: kernels in f
   CHECK: loop in line 10: gang vector
   CHECK: loop in line 11: seq: {{.*}}y[i - 1]
   CHECK: data:
   CHECK: copy(y[0:n]): to the device before and back behind, unless it is there already
   CHECK: loop in line 20: seq: an iteration reads c[i - 1] (line 20), which an earlier one writes as c[i] (line 20)
   CHECK: loop in line 21: seq: an iteration reads a[i - 1][0] (line 21), which an earlier one writes as a[i][0] (line 21)
   CHECK: loop in line 24: {{.*}}, but for reduction(+:sum) and reduction(*:product)
   CHECK: explain.c:6: data in f
   CHECK: copyin(x[0:n]): to the device before, unless it is there already
   CHECK: explain.c:14: update in f
   JSON: "construct": "{{.*}}explain.c:8: kernels in f"
   JSON: "runs": "device"
*/
