// A body with #if is read as this build sees it; new text in its place asks for the same, and the original
// stays for other builds.
// RUN: cp %s %t.cu && %hone opt %t.cu --in-place --recipe 'unroll(by=4)' -- -DFAST > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=NEW < %t.cu
// RUN: %clang_cuda_ptx -DFAST %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %clang_cuda_ptx -DTRACE -DLEVEL=3 %t.cu
// A second run changes nothing, and all of it can be taken back.
// RUN: cp %t.cu %t.once.cu && %hone opt %t.cu --in-place --recipe 'unroll(by=4)' -- -DFAST > %t.txt 2>&1
// RUN: cmp %t.cu %t.once.cu
// RUN: %hone revert %t.cu > %t.txt 2>&1 && cmp %t.cu %s

// CHECK: kernel `sums`: rewritten
// NEW-LABEL: void sums(
// NEW: // hone: begin, in place of sums
// NEW-NEXT: #if defined(FAST) && !defined(TRACE) && !defined(HONE_OFF)
// NEW-NOT: old
// NEW-NOT: TRACE
// NEW: // The sum of a row.
// NEW: for (; n - j_next >= kUnroll; j_next += kUnroll) {
// NEW: #else
// NEW: #ifdef FAST
// NEW: #endif  // of the choice
// NEW: // hone: end
__global__ void sums(const float* a, float* b, int n) {
  float s = 0;
#if 0
  // An old version.
  for (int j = 0; j < n; ++j) s -= a[j];
#endif
  // The sum of a row.
#ifdef FAST  // or not
  for (int j = 0; j < n; ++j) s += a[threadIdx.x * n + j];
#else
  // The slow way.
  for (int j = n - 1; j >= 0; --j) s += a[threadIdx.x * n + j];
#endif  // of the choice
#ifdef TRACE
  if (s < 0) b[0] = -1;
#endif
  b[threadIdx.x] = s;
}

// Alternatives are told apart by all conditions before the one that is taken; what `#if` compares needs no
// parentheses, `||` does. Conditionals in text that is left out are not asked for.
// CHECK: kernel `levels`: rewritten
// NEW-LABEL: void levels(
// NEW: #if !(LEVEL > 2) && (defined(FAST) || LEVEL > 1) && !defined(HONE_OFF)
__global__ void levels(const float* a, float* b, int n) {
  float s = 0;
#if LEVEL > 2
#ifdef DEEPER
  s = 1;
#endif
  s += 2;
#elif defined FAST || LEVEL > 1
  s = 3;
#else
  s = 4;
#endif
  for (int j = 0; j < n; ++j) s += a[threadIdx.x * n + j];
  b[threadIdx.x] = s;
}

// Text that every architecture compiles is not asked for.
// CHECK: kernel `everywhere`: rewritten
// NEW-LABEL: void everywhere(
// NEW: #ifndef HONE_OFF
// NEW: for (; n - j_next >= kUnroll; j_next += kUnroll) {
__global__ void everywhere(const float* a, float* b, int n) {
  float s = 0;
#if __CUDA_ARCH__ >= 200
  for (int j = 0; j < n; ++j) s += a[threadIdx.x * n + j];
#else
  s = 1;
#endif
  b[threadIdx.x] = s;
}
