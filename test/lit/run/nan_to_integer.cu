// NaN as an integer is what PTX's cvt makes of it: 0 from half and float to 32 bits or less, else the highest bit alone.
// RUN: %hone run %s | FileCheck %s
#include <cuda_fp16.h>

#include <cstdio>
template <class From>
__global__ void convert(From nan, long long* out) {
  out[0] = (signed char)nan, out[1] = (unsigned char)nan;
  out[2] = (short)nan, out[3] = (unsigned short)nan;
  out[4] = (int)nan, out[5] = (unsigned)nan;
  out[6] = (long long)nan, out[7] = (long long)(unsigned long long)nan;
  out[8] = nan ? 1 : 0;
}
__global__ void functions(float f, double d, __half h, long long* out) {
  out[0] = __float2int_rn(f), out[1] = __float2uint_rz(f), out[2] = __float2ll_ru(f), out[3] = (long long)__float2ull_rd(f);
  out[4] = __double2int_rn(d), out[5] = __double2uint_rz(d), out[6] = __double2ll_ru(d), out[7] = (long long)__double2ull_rd(d);
  out[8] = __half2int_rn(h), out[9] = __half2short_rz(h), out[10] = __half2ll_rn(h);
  out[11] = llrintf(f), out[12] = llround(d), out[13] = __float2int_rz(-1e30f), out[14] = __double2ll_rn(1e30);
}
template <class Launch>
void show(const char* name, int count, Launch launch) {
  long long* out;
  cudaMallocManaged(&out, 128);
  launch(out);
  cudaDeviceSynchronize();
  std::printf("%s", name);
  for (int i = 0; i < count; ++i) std::printf(" %llx", out[i]);
  std::printf("\n");
}
int main() {
  const float f = __builtin_nanf("");
  // CHECK: float 0 0 0 0 0 0 8000000000000000 8000000000000000 1
  show("float", 9, [=](long long* out) { convert<<<1, 1>>>(f, out); });
  // CHECK-NEXT: double 0 0 0 0 ffffffff80000000 80000000 8000000000000000 8000000000000000 1
  show("double", 9, [=](long long* out) { convert<<<1, 1>>>(double(f), out); });
  // CHECK-NEXT: functions 0 0 8000000000000000 8000000000000000 ffffffff80000000 80000000 8000000000000000 8000000000000000 0 0 8000000000000000 8000000000000000 8000000000000000 ffffffff80000000 7fffffffffffffff
  show("functions", 15, [=](long long* out) { functions<<<1, 1>>>(f, double(f), __float2half(f), out); });
}
