// RUN: not %hone check %s --json %t.json > %t
// RUN: FileCheck %s < %t
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: not %hone check %s --kernel tail --json - | %python -c "import json, sys; r = json.load(sys.stdin); assert r['equal'] is None and r['findings'][0]['array'] == 'a', r"

// CHECK: found.cu:[[#@LINE+7]]: kernel `mirror`: 2 errors
// CHECK-DAG: found.cu:[[#@LINE+9]]: error: race in shared memory, t[{{[0-9]+}}] of 256 elements
// CHECK-DAG: found.cu:[[#@LINE+9]]: error: uninitialised read in shared memory
// JSON: "equal": null
// JSON: "kind": "race"
// JSON-NEXT: "class": "race"
// JSON-NEXT: "kernel": "mirror"
__global__ void mirror(float* a, int n) {
  __shared__ float t[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = i < n ? a[i] : 0;
  if (i < n) a[i] = t[255 - threadIdx.x];
}

// CHECK: kernel `tail`: 1 error
// CHECK: found.cu:[[#@LINE+4]]: error: out of bounds in global memory, a[1000] of 1000 elements
#pragma hone set(n=1000) length(a=n)
__global__ void tail(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) a[i] = 1;
}

// CHECK: kernel `partly`: 1 error
// CHECK: error: output 'out' is left without a value in 10 of 100 elements, the first is 90
#pragma hone grid(1) block(90) length(out=100) output(out)
__global__ void partly(int* out) { out[threadIdx.x] = 1; }

// An access of several elements names them all.
// CHECK: kernel `wide`: 1 error
// CHECK: found.cu:[[#@LINE+4]]: error: out of bounds in global memory, a[28] of 30 elements{{.*}}reads elements 28 to 31 of a, which has 30 elements
#pragma hone set(n=32) length(a=30) length(b=32) grid(1) block(8)
__global__ void wide(const float* a, float* b, int n) {
  int i = 4 * threadIdx.x;
  if (i < n) *(float4*)(b + i) = *(const float4*)(a + i);
}
