// Casts of floats to integers that cannot hold them: what GPUs give.
#include "sim/RunKernel.h"

namespace hone::sim::testing {
namespace {

TEST(Cast, floatsBeyondTheirTargets) {
  RunKernel run(
      "__global__ void k(const float* f, const double* d, unsigned char* uc, signed char* sc, unsigned "
      "short* us, int* i,"
      " unsigned* u, long long* l) {\n"
      "  int t = threadIdx.x;\n"
      "  uc[t] = (unsigned char)f[t];\n"
      "  sc[t] = (signed char)f[t];\n"
      "  us[t] = (unsigned short)d[t];\n"
      "  i[t] = (int)d[t];\n"
      "  u[t] = (unsigned)f[t];\n"
      "  l[t] = (long long)f[t];\n"
      "}\n",
      "k");
  const std::vector<float> f = {-4.5F, 300.7F, 1e20F, -200.0F};
  const std::vector<double> d = {-4.5, 70000.7, 1e20, -1e20};
  const auto byte = run.array(std::vector<uint8_t>(4), "uc"), small = run.array(std::vector<int8_t>(4), "sc"),
             word = run.array(std::vector<uint16_t>(4), "us"),
             whole = run.array(std::vector<int32_t>(4), "i"),
             natural = run.array(std::vector<uint32_t>(4), "u"),
             wide = run.array(std::vector<int64_t>(4), "l");
  run.args(run.array(f, "f"), run.array(d, "d"), byte, small, word, whole, natural, wide);
  run.run(1, 4);
  EXPECT_TRUE(run.result.completed) << run.report();
  EXPECT_EQ(run.read<uint8_t>(byte, 4), (std::vector<uint8_t>{0, 44, 255, 0}));
  EXPECT_EQ(run.read<int8_t>(small, 4), (std::vector<int8_t>{-4, 44, -1, 56}));
  EXPECT_EQ(run.read<uint16_t>(word, 4), (std::vector<uint16_t>{0, 4464, 65535, 0}));
  EXPECT_EQ(run.read<int32_t>(whole, 4), (std::vector<int32_t>{-4, 70000, INT32_MAX, INT32_MIN}));
  EXPECT_EQ(run.read<uint32_t>(natural, 4), (std::vector<uint32_t>{0, 300, UINT32_MAX, 0}));
  EXPECT_EQ(run.read<int64_t>(wide, 4), (std::vector<int64_t>{-4, 300, INT64_MAX, -200}));
}

}  // namespace
}  // namespace hone::sim::testing
