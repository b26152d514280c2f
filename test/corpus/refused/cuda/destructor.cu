// expect-refused: scoped 10 destructor
// A local object whose destructor has an effect.
struct Guard {
  int* p;
  __device__ Guard(int* q) : p(q) { atomicAdd(p, 1); }
  __device__ ~Guard() { atomicSub(p, 1); }
};

__global__ void scoped(int* counter, int* x) {
  Guard g(counter);
  x[threadIdx.x] = *counter;
}
