// What cannot be set up says so, and what to give; the exit status is that of a command that did not do its work.
// RUN: not %hone check %s > %t
// RUN: FileCheck %s < %t
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(['%hone', 'check', '%s']).returncode != 2)"

// CHECK: kernel `unused`: not run: left alone: a template that nothing here instantiates
template <class T> __global__ void unused(T* a) { a[threadIdx.x] = 1; }

// CHECK: kernel `rows`: not run: array 'a' has pointers in its elements
__global__ void rows(float** a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i][0] = 1;
}

// CHECK: kernel `fine`: clean
__global__ void fine(float* a) { a[threadIdx.x] = 1; }
