// What was measured can be listed, taken elsewhere in both formats, and removed.
// REQUIRES: pocl
// RUN: rm -rf %t && mkdir -p %t
// RUN: %hone tune %s --device opencl --set n=4000 --budget 1 --store %t/a.db -o %t/out.cl 2> %t/log
// RUN: %hone store --store %t/a.db | FileCheck %s
// RUN: %hone store export %t/lines --store %t/a.db
// RUN: %hone store import %t/lines --store %t/b.db 2>&1 | FileCheck %s --check-prefix=READ
// RUN: %hone store import %t/lines --store %t/b.db && %hone store export %t/again --store %t/b.db && diff %t/lines %t/again
// RUN: %hone store export --format t4 --kernel blur --store %t/b.db | FileCheck %s --check-prefix=T4
// RUN: %hone store export --format t4 --kernel none --store %t/b.db | FileCheck %s --check-prefix=NONE
// RUN: %hone store export %t/t4.json --format t4 --store %t/a.db && %hone store export %t/t1.json --format t1 --store %t/a.db
// RUN: %python %S/Inputs/formats.py %t/t1.json %t/t4.json
// RUN: not %hone store export --format t1 --kernel none --store %t/b.db 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not %hone store remove --store %t/b.db 2>&1 | FileCheck %s --check-prefix=CARE
// RUN: %hone store remove --kernel blur --store %t/b.db 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: echo '{"source": 3}' > %t/bad && not %hone store import %t/bad --store %t/b.db 2>&1 | FileCheck %s --check-prefix=BAD

// CHECK: kernel sizes device us status date recipe
// CHECK: blur n=4000 {{.*}} ok {{.*}}
// READ: 2 measurements read
// T4: "schema_version": "1.0.0"
// T4: "invalidity": "correct"
// NONE: "results": []
// ONE: the format t1 describes one kernel; name it with --kernel; there is none
// CARE: remove needs --kernel, --device or --all
// GONE: 2 measurements removed
// BAD: bad:1: this is no measurement
__kernel void blur(__global const float* restrict a, __global float* restrict b, int n) {
  int i = get_global_id(0);
  if (i >= 1 && i < n - 1) b[i] = a[i - 1] + a[i] + a[i + 1];
}
