// expect-refused: usesAsm 13 assembly
// expect-imported: callsAsm
// expect-imported: plainAdd
// Inline PTX in a kernel, and in a device function, which a kernel calls by its name.
__device__ unsigned laneId() {
  unsigned r;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}

__global__ void usesAsm(int* x) {
  int v = x[threadIdx.x];
  asm("add.s32 %0, %0, 1;" : "+r"(v));
  x[threadIdx.x] = v;
}

__global__ void callsAsm(unsigned* x) { x[threadIdx.x] = laneId(); }

__global__ void plainAdd(int* x) { x[threadIdx.x] += 1; }
