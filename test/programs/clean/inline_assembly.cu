// Instructions of PTX that programs write by hand, each with values at the edges of what it is defined for.
#include <cstdint>
#include <cstdio>

__global__ void bitsOf(const uint32_t* in, uint32_t* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const uint32_t a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
  uint32_t r, sum = 0;
  auto add = [&](uint32_t v) { sum = (sum << 5 | sum >> 27) ^ v; };
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  add(r);
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  add(r);
  asm("lop3.b32 %0, %1, %2, %3, 0xb8;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  add(r);
  asm("lop3.b32 %0, %1, %2, %3, 0xfe;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  add(r);
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 63), "r"(c & 63));
  add(r);
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 31), "r"(c & 15));
  add(r);
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 31), "r"(a & 31));
  add(r);
  asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a));
  add(r);
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 0x7777));
  add(r);
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  add(r);
  asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63));
  add(r);
  asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63));
  add(r);
  asm("popc.b32 %0, %1;" : "=r"(r) : "r"(a));
  add(r);
  asm("clz.b32 %0, %1;" : "=r"(r) : "r"(a));
  add(r);
  asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a));
  add(r);
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  add(r);
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  add(r);
  asm("min.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  add(r);
  asm("max.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  add(r);
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  add(r);
  uint64_t w;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(a), "r"(b));
  add(uint32_t(w >> 32) ^ uint32_t(w));
  asm("mov.b64 %0, {%1, %2};" : "=l"(w) : "r"(a), "r"(b));
  add(uint32_t(w >> 16));
  uint32_t low, high;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(w));
  add(low - high);
  // 96 bits and 96 bits, by carries.
  uint32_t x = a, y = b, z = c;
  asm("add.cc.u32 %0, %0, %3;\n\taddc.cc.u32 %1, %1, %4;\n\taddc.u32 %2, %2, %5;"
      : "+&r"(x), "+&r"(y), "+&r"(z)
      : "r"(b), "r"(c), "r"(a));
  add(x ^ y * 3 ^ z * 5);
  asm("sub.cc.u32 %0, %0, %2; subc.u32 %1, %1, %3;" : "+&r"(x), "+&r"(y) : "r"(c), "r"(a));
  add(x ^ y * 7);
  asm("{ .reg .pred p;\n"
      "  setp.lt.u32 p, %1, %2;  // which is less\n"
      "  selp.b32 %0, %1, %2, p;\n"
      "  @p add.u32 %0, %0, 1;\n"
      "  @!p xor.b32 %0, %0, 0xff; }"
      : "=&r"(r)
      : "r"(a), "r"(b));
  add(r);
  out[i] = sum;
}

__global__ void machine(float* values, unsigned* lanes) {
  unsigned lane, below, warp, x;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("mov.u32 %0, %tid.x;" : "=r"(x));
  asm("mov.u32 %0, %ntid.x;" : "=r"(warp));
  float v;
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(values + x));
  float half;
  asm("mul.rn.f32 %0, %1, 0f3F000000;" : "=f"(half) : "f"(v));
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(v) : "f"(v), "f"(half), "f"(1.0f));
  asm volatile("st.global.f32 [%0], %1;" ::"l"(values + x), "f"(v) : "memory");
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("bar.sync 0;");
  asm volatile("" ::: "memory");
  unsigned next;
  asm volatile("shfl.sync.down.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(next) : "r"(x));
  uint4 four;
  asm("ld.global.v4.u32 {%0, %1, %2, %3}, [%4 + 16];" : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w) : "l"(lanes));
  lanes[8 + x] = lane * 1000 + __popc(below) + warp + next * 100000 + four.x + four.y + four.z + four.w;
}

// Sums, products, quotients and roots rounded down, up and towards zero.
__global__ void rounding(const float* in, float* out, double* wide) {
  float a = in[0], b = in[1], r;
  asm("add.rz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  out[0] = r;
  asm("sub.rm.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  out[1] = r;
  asm("mul.rp.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(a));
  out[2] = r;
  asm("fma.rm.f32 %0, %1, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  out[3] = r;
  asm("div.rz.f32 %0, %1, %2;" : "=f"(r) : "f"(b), "f"(a));
  out[4] = r;
  asm("rcp.rp.f32 %0, %1;" : "=f"(r) : "f"(a));
  out[5] = r;
  asm("sqrt.rm.f32 %0, %1;" : "=f"(r) : "f"(a));
  out[6] = r;
  double d;
  asm("fma.rz.f64 %0, %1, %1, %2;" : "=d"(d) : "d"(-1.0 / 3), "d"(1e-20));
  wide[0] = d;
  asm("add.rp.f64 %0, %1, %2;" : "=d"(d) : "d"(1.0), "d"(1e-30));
  wide[1] = d;
}

int main() {
  const int n = 12;
  const uint32_t in[n] = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 31,
                          32,         0x12345678, 0xdeadbeef, 0x00ff00ff, 7,          0xfffffff0};
  uint32_t out[n], *din, *dout;
  cudaMalloc(&din, sizeof in);
  cudaMalloc(&dout, sizeof out);
  cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
  bitsOf<<<1, 32>>>(din, dout, n);
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
  for (uint32_t v : out) printf("%08x ", v);
  printf("\n");
  float values[64], *dvalues;
  unsigned lanes[72] = {0, 0, 0, 0, 1, 2, 3, 4}, *dlanes;
  for (int i = 0; i < 64; ++i) values[i] = float(i) / 4;
  cudaMalloc(&dvalues, sizeof values);
  cudaMalloc(&dlanes, sizeof lanes);
  cudaMemcpy(dvalues, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpy(dlanes, lanes, sizeof lanes, cudaMemcpyHostToDevice);
  machine<<<1, 64>>>(dvalues, dlanes);
  cudaMemcpy(values, dvalues, sizeof values, cudaMemcpyDeviceToHost);
  cudaMemcpy(lanes, dlanes, sizeof lanes, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", values[1], values[30], values[63]);
  printf("%u %u %u %u\n", lanes[8], lanes[9], lanes[8 + 37], lanes[8 + 62]);
  const float pair[2] = {3.1f, 1e-7f};
  float rounded[7], *dpair, *drounded;
  double wide[2], *dwide;
  cudaMalloc(&dpair, sizeof pair);
  cudaMalloc(&drounded, sizeof rounded);
  cudaMalloc(&dwide, sizeof wide);
  cudaMemcpy(dpair, pair, sizeof pair, cudaMemcpyHostToDevice);
  rounding<<<1, 1>>>(dpair, drounded, dwide);
  cudaMemcpy(rounded, drounded, sizeof rounded, cudaMemcpyDeviceToHost);
  cudaMemcpy(wide, dwide, sizeof wide, cudaMemcpyDeviceToHost);
  for (float v : rounded) printf("%a ", v);
  printf("%a %a\n", wide[0], wide[1]);
  cudaFree(dpair);
  cudaFree(drounded);
  cudaFree(dwide);
  cudaFree(din);
  cudaFree(dout);
  cudaFree(dvalues);
  cudaFree(dlanes);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
