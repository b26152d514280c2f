// A kernel of which no run executed what changed is left alone; the others are written.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu > %t.log 2>&1
// RUN: FileCheck --check-prefix=LEFT %s < %t.log
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// LEFT-NOT: kernel `never`: blocks of 64
// LEFT: kernel `never`: left alone: not verified, so that only --no-verify writes it: no statement of it that writes to memory was executed in {{[0-9]+}} runs; give sizes and numbers with --set, or data with --input
// TEXT-NOT: never_launch
// TEXT: plain_launch
// RUN: not %hone opt %s --recipe 'block(x=64)' --strict -o %t.cu
// RUN: %hone opt %s --kernel plain --recipe 'block(x=64)' --strict -o %t.cu
// RUN: %hone opt %s --recipe 'block(x=64)' --no-verify -o %t.cu
// RUN: FileCheck --check-prefix=ALL %s < %t.cu
// ALL-DAG: never_launch
// ALL-DAG: plain_launch
__global__ void never(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (a[0] != 12345.0f) return;
  if (i < n) b[i] = a[i];
}
__global__ void plain(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}

// RUN: not %hone verify %s --kernel never --with never --json %t.json | FileCheck --check-prefix=NEVER %s
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// NEVER: kernel `never`: NOT COMPARED: no statement of it that writes to memory was executed
// NEVER: statements that no run came to: {{.*}}uncompared.cu:18 (writes to memory)
// NEVER: array 'b' was not touched
// JSON: "equal": false
// JSON: "reason": "no statement of it that writes
// JSON: "compared": false
// JSON-NEXT: "untouched": [
// JSON-NEXT: "b"
// JSON: "unreached": [
// JSON-NEXT: {
// JSON-NEXT: "file":
// JSON-NEXT: "line": 18
// JSON-NEXT: "stores": true

// What is compared, but not everywhere: the rest is listed.
// RUN: %hone verify %s --kernel seldom --with seldom | FileCheck --check-prefix=SELDOM %s
// SELDOM: kernel `seldom`: equal in 7 runs
// SELDOM: statements that no run came to: {{.*}}uncompared.cu:52 (writes to memory)
// RUN: %hone opt %s --kernel seldom --recipe 'block(x=64)' --strict -o %t.cu 2>&1 | FileCheck --check-prefix=NOTE %s
// NOTE: statements that no run of its verification came to: {{.*}}uncompared.cu:52 (writes to memory)
__global__ void seldom(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  b[i] = a[i];
  if (a[i] == 12345.0f)
    b[i] = 1.0f;
}
