// Memory of every kind and type: what kernels store is what C says.
#include <sys/mman.h>

#include <algorithm>
#include <cmath>

#include "sim/RunKernel.h"

namespace hone::sim::testing {
namespace {

TEST(Memory, narrowAndWideTypes) {
  RunKernel k(
      R"(__global__ void k(const signed char* a, const unsigned short* b, long long* c, double* d, bool* e, unsigned char* f) {
  int i = threadIdx.x;
  c[i] = (long long)a[i] * b[i] - (1LL << 40);
  d[i] = c[i] / 3.0;
  e[i] = a[i] > 0;
  f[i] = (unsigned char)(a[i] + 250);
})",
      "k");
  std::vector<int8_t> a;
  std::vector<uint16_t> b;
  for (int i = 0; i < 40; ++i) a.push_back(int8_t(i * 7 - 100)), b.push_back(uint16_t(65000 + i * 20));
  const uint64_t pa = k.array(a, "a"), pb = k.array(b, "b"), pc = k.array(std::vector<int64_t>(40), "c"),
                 pd = k.array(std::vector<double>(40), "d"), pe = k.array(std::vector<uint8_t>(40), "e"),
                 pf = k.array(std::vector<uint8_t>(40), "f");
  k.args(pa, pb, pc, pd, pe, pf);
  k.run(1, 40);
  EXPECT_EQ(k.report(), "");
  for (size_t i = 0; i < 40; ++i) {
    const int64_t c = int64_t(a[i]) * b[i] - (int64_t(1) << 40);
    EXPECT_EQ(k.read<int64_t>(pc, 40)[i], c);
    EXPECT_EQ(k.read<double>(pd, 40)[i], double(c) / 3.0);
    EXPECT_EQ(k.read<uint8_t>(pe, 40)[i], a[i] > 0);
    EXPECT_EQ(k.read<uint8_t>(pf, 40)[i], uint8_t(a[i] + 250));
  }
}

// An array without an end gives up pages that can be made again, and what was written stays.
TEST(Memory, elasticArraysKeepFewPages) {
  Memory memory;
  const auto fill = [](uint8_t* at, uint64_t from, uint64_t to) {
    for (uint64_t byte = from; byte < to; ++byte) at[byte - from] = uint8_t(byte * 31 + byte / 512);
  };
  const uint64_t base = memory.allocateElastic("a", 1, fill);
  Buffer& b = *memory.find(base);
  constexpr uint64_t page = 4096, pages = 40'000;
  const auto touch = [&](uint64_t byte) -> uint8_t& {
    b.keepFew(32 << 20);
    b.makePresent(base + byte, base + byte + 1);
    return *memory.host(base + byte);
  };
  const auto made = [](uint64_t byte) { return uint8_t(byte * 31 + byte / 512); };
  for (int again = 0; again < 2; ++again)
    for (uint64_t k = 0; k < pages; ++k)
      ASSERT_EQ(touch(k * page + k % page), made(k * page + k % page)) << k;
  // Nobody asks for the results of runs that give up pages, so that what was written goes with them.
  touch(5) = 77;
  b.written = true;
  for (uint64_t k = 0; k < pages; ++k) touch(k * page);
  EXPECT_EQ(touch(5), made(5));
  std::vector<unsigned char> present(pages);
  for (uint64_t k = 0; k < pages; ++k) touch(k * page);
  ASSERT_EQ(mincore(memory.host(base), pages * page, present.data()), 0);
  const auto held = std::count_if(present.begin(), present.end(), [](unsigned char one) { return one & 1; });
  EXPECT_LT(held, 8'500);
}

TEST(Memory, structsVectorsAndLocalArrays) {
  RunKernel k(R"(struct P { float3 pos; int id; double w[2]; };
__device__ void bump(P& p, int by) { p.id += by; p.w[by & 1] = p.pos.y; }
__global__ void k(P* ps, float4* v, int* out, int n) {
  int i = threadIdx.x;
  P p = ps[i];
  bump(p, i);
  ps[i] = p;
  float4 x = v[i];
  x.y = x.z + x.w;
  v[i] = make_float4(x.w, x.y, x.z, x.x);
  int hist[8];
  for (int j = 0; j < 8; ++j) hist[j] = j * i;
  int* q = hist + (i & 3);
  q[2] = -1;
  int s = 0;
  for (int j = 0; j < 8; ++j) s += hist[(j + i) & 7];
  out[i] = s;
})",
              "k");
  struct P {
    float pos[3];
    int id;
    double w[2];
  };
  std::vector<P> ps;
  std::vector<float> v;
  for (int i = 0; i < 33; ++i) ps.push_back({{float(i), float(i) * 2, 3}, 100, {0, 0}});
  for (int i = 0; i < 132; ++i) v.push_back(float(i));
  const uint64_t a = k.array(ps, "ps"), b = k.array(v, "v"), c = k.array(std::vector<int>(33), "out");
  k.args(a, b, c, 33);
  k.run(1, 33);
  EXPECT_EQ(k.report(), "");
  for (int i = 0; i < 33; ++i) {
    const P p = k.read<P>(a, 33)[size_t(i)];
    EXPECT_EQ(p.id, 100 + i);
    EXPECT_EQ(p.w[i & 1], double(i * 2));
    const float* x = &v[size_t(i) * 4];
    const std::vector<float> got = k.read<float>(b, 132);
    EXPECT_EQ(got[size_t(i) * 4], x[3]);
    EXPECT_EQ(got[size_t(i) * 4 + 1], x[2] + x[3]);
    EXPECT_EQ(got[size_t(i) * 4 + 3], x[0]);
    EXPECT_EQ(k.read<int>(c, 33)[size_t(i)], 28 * i - ((i & 3) + 2) * i - 1);
  }
}

TEST(Memory, initialValuesAreConvertedAsWritten) {
  RunKernel k(R"(__device__ int cut = (unsigned char)300;
__device__ int low = (signed char)200;
__device__ int whole = (int)-3.9f;
__device__ float real = -(unsigned char)260;
__device__ double wide = (float)0.1;
__device__ unsigned long long all = 18446744073709551615ull;
__global__ void k(double* out) {
  out[0] = cut; out[1] = low; out[2] = whole; out[3] = real; out[4] = wide; out[5] = all == ~0ull;
})",
              "k");
  const uint64_t out = k.array(std::vector<double>(6), "out");
  k.args(out);
  k.run(1, 1);
  EXPECT_EQ(k.report(), "");
  EXPECT_EQ(k.read<double>(out, 6), (std::vector<double>{44, -56, -3, -4, double(0.1f), 1}));
}

TEST(Memory, sharedStaticDynamicAndGlobals) {
  RunKernel k(R"(__constant__ float factor[4] = {1.5f, 2, -3, 0.25f};
__device__ int counter = 7;
extern __shared__ float pool[];
__global__ void k(const float* in, float* out) {
  __shared__ float tile[2][33];
  int* ints = (int*)(pool + 64);
  int t = threadIdx.x;
  tile[t & 1][t / 2] = in[t];
  pool[t] = in[t] * factor[t & 3];
  ints[t] = t * t;
  __syncthreads();
  out[t] = tile[(63 - t) & 1][(63 - t) / 2] + pool[t ^ 1] + ints[63 - t];
  if (t == 0) counter += 5;
})",
              "k");
  std::vector<float> in;
  for (int i = 0; i < 64; ++i) in.push_back(float(i) + 0.5f);
  const uint64_t a = k.array(in, "in"), b = k.array(std::vector<float>(64), "out");
  k.args(a, b);
  k.launch.dynamicShared = 512;
  k.run(1, 64);
  EXPECT_EQ(k.report(), "");
  const float factor[] = {1.5f, 2, -3, 0.25f};
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(k.read<float>(b, 64)[size_t(t)],
              in[size_t(63 - t)] + in[size_t(t ^ 1)] * factor[(t ^ 1) & 3] + float((63 - t) * (63 - t)));
}

TEST(Memory, atomicsOfEveryKind) {
  RunKernel k(R"(__global__ void k(int* i, unsigned* u, float* f, double* d, unsigned long long* l) {
  __shared__ int s;
  int t = threadIdx.x;
  if (t == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, t);
  atomicAdd(i, 1); atomicMax(i + 1, t); atomicMin(i + 2, -t); atomicXor(i + 3, t);
  atomicInc(u, 10); atomicDec(u + 1, 10); atomicOr(u + 2, 1u << (t & 31));
  atomicAdd(f, 0.5f); atomicAdd(d, 0.25); atomicAdd(l, 1ull << 33);
  __syncthreads();
  if (t == 0) i[4] = s;
})",
              "k");
  const uint64_t i = k.array(std::vector<int>{0, 0, 0, 0, 0}, "i"),
                 u = k.array(std::vector<uint32_t>{0, 0, 0}, "u"), f = k.array(std::vector<float>{0}, "f"),
                 d = k.array(std::vector<double>{0}, "d"), l = k.array(std::vector<uint64_t>{0}, "l");
  k.args(i, u, f, d, l);
  k.run(1, 100);
  EXPECT_EQ(k.report(), "");
  EXPECT_EQ(k.read<int>(i, 5), (std::vector<int>{100, 99, -99, 99 ^ 0 ? [] { int x = 0; for (int t = 0; t < 100; ++t) x ^= t; return x; }() : 0, 4950}));
  EXPECT_EQ(k.read<uint32_t>(u, 3), (std::vector<uint32_t>{100 % 11,
                                                           [] {
                                                             uint32_t v = 0;
                                                             for (int t = 0; t < 100; ++t)
                                                               v = v == 0 || v > 10 ? 10 : v - 1;
                                                             return v;
                                                           }(),
                                                           0xffffffffu}));
  EXPECT_EQ(k.read<float>(f, 1)[0], 50.0f);
  EXPECT_EQ(k.read<double>(d, 1)[0], 25.0);
  EXPECT_EQ(k.read<uint64_t>(l, 1)[0], uint64_t(100) << 33);
}

TEST(Memory, shufflesAndVotes) {
  RunKernel k(R"(__global__ void k(int* a, unsigned* m) {
  int t = threadIdx.x, v = a[t];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  unsigned odd = __ballot_sync(0xffffffff, a[t] & 1);
  int first = __shfl_sync(0xffffffff, v, 0);
  a[t] = first;
  m[t] = odd;
})",
              "k");
  std::vector<int> a;
  for (int i = 0; i < 64; ++i) a.push_back(i);
  const uint64_t pa = k.array(a, "a"), pm = k.array(std::vector<uint32_t>(64), "m");
  k.args(pa, pm);
  k.run(1, 64);
  EXPECT_EQ(k.report(), "");
  EXPECT_EQ(k.read<int>(pa, 64)[3], 496);
  EXPECT_EQ(k.read<int>(pa, 64)[40], 496 + 1024);
  EXPECT_EQ(k.read<uint32_t>(pm, 64)[5], 0xaaaaaaaau);
}

TEST(Memory, printfComesOutInOrder) {
  RunKernel k(
      R"(__global__ void k(float x) { if (threadIdx.x < 2) printf("b%d t%u %5.2f %c%% %s %lld\n", blockIdx.x, threadIdx.x, x, 'q', "text", 1LL << 40); })",
      "k");
  std::string text;
  k.options.print = [&](const std::string& s) { text += s; };
  k.args(1.25f);
  k.run(2, 32);
  EXPECT_EQ(text,
            "b0 t0  1.25 q% text 1099511627776\nb0 t1  1.25 q% text 1099511627776\nb1 t0  1.25 q% text "
            "1099511627776\nb1 t1  1.25 q% text 1099511627776\n");
}

TEST(Memory, printfTakesWidthsFromArguments) {
  RunKernel k(
      R"(__global__ void k(int w, double x) { printf("%*d|%-*d|%*d|%.*f|%.*f|%*.*f|%hhd|%a\n", w, 7, w, 7, -w, 7, 2, x, -1, x, w, 1, x, 300, 1.5); })",
      "k");
  std::string text;
  k.options.print = [&](const std::string& s) { text += s; };
  k.args(5, 3.14159);
  k.run(1, 1);
  EXPECT_EQ(text, "    7|7    |7    |3.14|3.141590|  3.1|44|0x1.8p+0\n");
}

TEST(Memory, faultsNameArrayIndexAndLine) {
  RunKernel k("__global__ void k(float* a, int n) {\n  int i = threadIdx.x;\n  a[i + 1] = 1;\n}", "k");
  const uint64_t a = k.array(std::vector<float>(32), "a");
  k.args(a, 32);
  k.run(1, 32);
  ASSERT_EQ(k.result.findings.size(), 1u) << k.report();
  const Finding& f = k.result.findings[0];
  EXPECT_EQ(f.kind, FindingKind::OutOfBounds);
  EXPECT_EQ(f.array, "a");
  EXPECT_EQ(f.index, 32);
  EXPECT_EQ(f.length, 32);
  EXPECT_EQ(f.party.line, 3u);
  EXPECT_EQ(f.party.who.thread[0], 31u);
}

TEST(Memory, texturesFilterAndClamp) {
  RunKernel k(R"(__global__ void k(cudaTextureObject_t t, float* out) {
  int i = threadIdx.x;
  out[i] = tex2D<float>(t, i * 0.5f, 1.0f);
})",
              "k");
  std::vector<float> texels{0, 10, 20, 30, 40, 50, 60, 70};
  const uint64_t data = k.array(texels, "texels"), out = k.array(std::vector<float>(12), "out");
  Texture t;
  t.address = data;
  t.extent = {4, 2, 0};
  t.pitch = 16;
  t.filter = Texture::Filter::Linear;
  k.args(k.device.textures.add(t), out);
  k.run(1, 12);
  EXPECT_EQ(k.report(), "");
  const std::vector<float> got = k.read<float>(out, 12);
  EXPECT_FLOAT_EQ(got[0], 20);  // clamped: (0 + 40) / 2
  EXPECT_FLOAT_EQ(got[1], 20);
  EXPECT_FLOAT_EQ(got[2], 25);
  EXPECT_FLOAT_EQ(got[11], 50);
}

}  // namespace
}  // namespace hone::sim::testing
