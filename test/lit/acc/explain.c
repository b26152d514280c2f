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
/* CHECK: explain.c:8: kernels in f
   CHECK: loop in line 10: gang vector
   CHECK: loop in line 11: seq: {{.*}}y[i - 1]
   CHECK: data:
   CHECK: copy(y[0:n]): to the device before and back behind, unless it is there already
   CHECK: explain.c:6: data in f
   CHECK: copyin(x[0:n]): to the device before, unless it is there already
   CHECK: explain.c:14: update in f
   JSON: "construct": "{{.*}}explain.c:8: kernels in f"
   JSON: "runs": "device"
*/
