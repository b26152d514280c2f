// Bit-fields whose values fit an int are one where they are computed with: no cast is written that C makes, and none is left out.
// RUN: %hone opt --recipe '' %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %hone verify --recipe 'block(x=64)' %s | FileCheck --check-prefix=SAME %s

struct Cell {
  unsigned kind : 3, age : 5;
  int drift : 7;
  unsigned whole : 32;
};

// REMARK: kernel `computes`: re-emitted
// SAME: kernel `computes`: equal in
// CHECK-LABEL: void computes
__global__ void computes(Cell* cells, int* x, Cell base, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned u = x[i];
  // CHECK: cells[i].kind = base.age - 4 < 0 ? 1 : 2;
  cells[i].kind = base.age - 4 < 0 ? 1 : 2;
  // CHECK-NEXT: cells[i].age += 3;
  cells[i].age += 3;
  // CHECK-NEXT: ++cells[i].drift;
  ++cells[i].drift;
  // CHECK-NEXT: cells[i].age >>= 1;
  cells[i].age >>= 1;
  // CHECK-NEXT: x[i] = -base.kind + ~base.age * (base.whole > u);
  x[i] = -base.kind + ~base.age * (base.whole > u);
  // CHECK-NEXT: x[i + n] = (int)(base.kind - u);
  x[i + n] = (int)(base.kind - u);
  // CHECK-NEXT: x[i + 2 * n] = base.kind - (unsigned int)5 > 100;
  x[i + 2 * n] = (unsigned)base.kind - 5 > 100;
  // CHECK-NEXT: printf("%d %u\n", base.kind, base.whole);
  printf("%d %u\n", base.kind, base.whole);
}

// REMARK: kernel `prints`: re-emitted
// CHECK-LABEL: void prints
__global__ void prints(int* x) {
  // CHECK-NEXT: int n = printf("%5s %d\n", "ab", x[0]);
  int n = printf("%5s %d\n", "ab", x[0]);
  // CHECK-NEXT: x[1] = printf("100%%\n");
  x[1] = printf("100%%\n");
  // CHECK-NEXT: const int [[P:[a-z]+]] = printf("%d\n", n);
  // CHECK-NEXT: if ([[P]] < 0) {
  if (printf("%d\n", n) < 0) x[2] = n;
}
