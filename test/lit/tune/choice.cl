// What is written follows from what was measured: the fastest that is right, or nothing. Workers and tuners may end in between.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py 20 11' --set n=5000 --budget 2 --no-store -o %t/a.cl 2>&1 | FileCheck %s --check-prefix=SLOWER
// RUN: diff %s %t/a.cl
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py wrong nan faulted timed-out 4 5' --set n=5000 --budget 6 --strategy exhaustive --no-store -o %t/b.cl 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=TEXT < %t/b.cl
// RUN: not %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py end' --set n=5000 --budget 3 --strategy exhaustive --store %t/s.db -o %t/c.cl 2>&1 | FileCheck %s --check-prefix=END
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py 8 end' --device 'worker:%python %S/Inputs/fake_worker.py end' --set n=5000 --budget 3 --strategy exhaustive --store %t/s.db -o %t/c.cl 2>&1 | FileCheck %s --check-prefix=ON
// RUN: %python %S/Inputs/interrupted.py %hone %s %t
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py --sanitizer faulted 5' --set n=5000 --recipe 'block(x=128) merge-threads(x=2)' --budget 0 --no-store --sanitize -o %t/e.cl 2>&1 | FileCheck %s --check-prefix=UNSOUND
// RUN: diff %s %t/e.cl

// SLOWER: blur stays as it is: nothing that was measured is faster than the original
// ONE: 6 variants measured, 4 failed
// ONE: chosen: {{.+}}, 2.50 times as fast as the original
// TEXT: blur_hone
// GIVEN: 1 variant measured
// GIVEN: chosen: block(x=128) merge-threads(x=2), 2.00 times
// NONE: blur: recipe 'promote' does not apply: no loop touches one element
// UNSOUND: compute-sanitizer: faulted
// UNSOUND: compute-sanitizer found errors in block(x=128) merge-threads(x=2)
// END: the worker '{{.*}}' ended: exit status 3
// ON: ended: exit status 3; it is started again
// ON: 3 variants measured
__kernel void blur(__global const float* restrict a, __global float* restrict b, int n) {
  int i = get_global_id(0);
  if (i >= 1 && i < n - 1) b[i] = a[i - 1] + a[i] + a[i + 1];
}
