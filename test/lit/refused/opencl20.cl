// Constructs of OpenCL C 2.0 that have no place in the IR.
// RUN: %hone explain %s -- -cl-std=CL2.0 2>&1 | FileCheck %s

// CHECK-LABEL: kernel `closure`
// CHECK-NEXT: left alone: OpenCL block ({{.*}}:[[@LINE+2]])
kernel void closure(global int* x) {
  int (^twice)(int) = ^(int v) { return 2 * v; };
  x[0] = twice(x[1]);
}

// CHECK-LABEL: kernel `consumes`
// CHECK-NEXT: left alone: OpenCL pipe ({{.*}}:[[@LINE+1]])
kernel void consumes(read_only pipe int in, global int* out) {
  int v;
  if (read_pipe(in, &v) == 0) out[get_global_id(0)] = v;
}

// CHECK-LABEL: kernel `wideBarrier`
// CHECK-NEXT: left alone: work_group_barrier with a memory scope other than the work-group ({{.*}}:[[@LINE+2]])
kernel void wideBarrier(global int* x) {
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  x[0] = 1;
}

// CHECK-LABEL: kernel `subGroup`
// CHECK-NEXT: left alone: barrier with flags not known at compile time ({{.*}}:[[@LINE+2]])
kernel void subGroup(global int* x, uint which) {
  sub_group_barrier(which);
  x[0] = 1;
}
