// What a refusal asks for is the language's own word.
// RUN: %hone opt %s --recipe promote 2>&1 >/dev/null | FileCheck %s
// CHECK: kernel `gathered`: left alone: a may alias o (`at[i]` is loaded from memory); add restrict or pass --assume-noalias
__kernel void gathered(__global const float* a, __global const int* at, __global float* o, int n) {
  int x = get_global_id(0);
  for (int i = 0; i < n; ++i) o[x] += a[at[i]];
}
