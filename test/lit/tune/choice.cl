// What is written follows from what was measured: the fastest that is right, or nothing.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py 20 11' --set n=5000 --budget 2 --no-store -o %t/a.cl 2>&1 | FileCheck %s --check-prefix=SLOWER
// RUN: diff %s %t/a.cl
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py wrong nan faulted timed-out 4 5' --set n=5000 --budget 6 --strategy exhaustive --no-store -o %t/b.cl 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=TEXT < %t/b.cl
// RUN: not %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py 8 end' --set n=5000 --budget 3 --strategy exhaustive --store %t/s.db -o %t/c.cl 2>&1 | FileCheck %s --check-prefix=END
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py 7' --set n=5000 --budget 3 --strategy exhaustive --store %t/s.db -o %t/c.cl 2>&1 | FileCheck %s --check-prefix=RESUME
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py 5 6 7' --set n=5000 --recipe 'block(x=128) merge-threads(x=2)' --budget 0 --no-store -o %t/d.cl 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py 5' --set n=5000 --recipe promote --budget 0 --no-store --diff 2>&1 | FileCheck %s --check-prefix=NONE

// SLOWER: blur stays as it is: nothing that was measured is faster than the original
// ONE: 6 variants measured, 4 failed
// ONE: chosen: {{.+}}, 2.50 times as fast as the original
// TEXT: blur_hone
// GIVEN: 1 variant measured
// GIVEN: chosen: block(x=128) merge-threads(x=2), 2.00 times
// NONE: blur: recipe 'promote' does not apply: no loop touches one element
// END: the worker '{{.*}}' ended: exit status 3
// RESUME: 3 variants measured, 1 of them known from the store
__kernel void blur(__global const float* restrict a, __global float* restrict b, int n) {
  int i = get_global_id(0);
  if (i >= 1 && i < n - 1) b[i] = a[i - 1] + a[i] + a[i + 1];
}
