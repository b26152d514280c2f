// What makes the work of a work-group its own, so that it keeps its shape.
// RUN: %hone opt %s --recipe 'block(x=64)' -o - 2>&1 >/dev/null | FileCheck %s

// CHECK: :[[#@LINE+1]]: kernel `byItem`: left alone: its block shape is not free: get_local_id(0) is used outside a global id at {{.*}}:[[#@LINE+3]]{{$}}
__kernel void byItem(__global float* a, int n) {
  int i = get_global_id(0);
  if (i < n) a[i] = get_local_id(0);
}

// CHECK: :[[#@LINE+1]]: kernel `byGroup`: left alone: its block shape is not free: get_group_id(0) is used outside a global id at {{.*}}:[[#@LINE+3]]{{$}}
__kernel void byGroup(__global float* a, int n) {
  int i = get_global_id(0);
  if (i < n) a[i] = get_group_id(0);
}

// CHECK: :[[#@LINE+1]]: kernel `bySize`: left alone: its block shape is not free: get_local_size(0) is used outside a global id at {{.*}}:[[#@LINE+3]]{{$}}
__kernel void bySize(__global float* a, int n) {
  int i = get_global_id(0);
  if (i < n) a[i] = get_local_size(0);
}

// CHECK: :[[#@LINE+1]]: kernel `byCount`: left alone: its block shape is not free: get_num_groups(0) is used outside a global id at {{.*}}:[[#@LINE+3]]{{$}}
__kernel void byCount(__global float* a, int n) {
  int i = get_global_id(0);
  if (i < n) a[i] = get_num_groups(0);
}

// CHECK: :[[#@LINE+1]]: kernel `shares`: left alone: its block shape is not free: shared memory argument tile
__kernel void shares(__global float* a, __local float* tile, int n) {
  int i = get_global_id(0);
  if (i < n) a[i] = 1;
}

// CHECK: :[[#@LINE+1]]: kernel `required`: left alone: its block shape is not free: the block shape is required by an attribute
__attribute__((reqd_work_group_size(32, 1, 1))) __kernel void required(__global float* a, int n) {
  int i = get_global_id(0);
  if (i < n) a[i] = 1;
}
