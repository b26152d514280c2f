#include "device/HostText.h"

#include "Source.h"

namespace hone::device {

namespace {

const char* const program = R"(
#include "sizes.h"
#define N 1000  // how many
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))
inline int blocksFor(int n, int per) { return n / per + (n % per != 0); }
int main(int argc, char** argv) {
  int m = 64;
  if (argc > 1) m = atoi(argv[1]);
  const unsigned threads = 4 * 16; /* int threads = 3; */
  dim3 block(16, 8), grid;
  grid.x = DIV_UP(N, block.x);
  grid.y = blocksFor(m, block.y);
  dim3 other = dim3(N / threads);
  int size = parse(argv);
  params.blockDim = dim3(threads, 1, 1);
  k<<<grid, block, threads * sizeof(float)>>>(x, N, m, size);
  int m = 7;
}
)";

std::array<int64_t, 3> whole(const std::optional<std::array<Number, 3>>& e) {
  EXPECT_TRUE(e);
  if (!e) return {};
  return {(*e)[0].asWhole(), (*e)[1].asWhole(), (*e)[2].asWhole()};
}

}  // namespace

TEST(HostText, readsValuesOffTheText) {
  Folder folder;
  folder.write("sizes.h", "constexpr int depth = 1 << 4;\n");
  HostText host(folder.write("main.cu", program), 16);
  EXPECT_EQ(host.value("N")->whole, 1000);
  EXPECT_EQ(host.value("m")->whole,
            64);  // atoi has no value, the one before has; what follows does not count
  EXPECT_EQ(host.value("threads * sizeof(float)")->whole, 256);
  EXPECT_EQ(host.value("depth")->whole, 16);
  EXPECT_FALSE(host.value("size"));
  EXPECT_EQ(whole(host.extents("block")), (std::array<int64_t, 3>{16, 8, 1}));
  EXPECT_EQ(whole(host.extents("grid")), (std::array<int64_t, 3>{63, 8, 1}));
  EXPECT_EQ(whole(host.extents("threads")), (std::array<int64_t, 3>{64, 1, 1}));
  EXPECT_EQ(whole(host.extents("other")), (std::array<int64_t, 3>{15, 1, 1}));
  EXPECT_EQ(whole(host.extents("dim3(2, 3, 4)")), (std::array<int64_t, 3>{2, 3, 4}));
  host.overrides["m"] = wholeNumber(17);
  EXPECT_EQ(whole(host.extents("grid")), (std::array<int64_t, 3>{63, 3, 1}));
}

// A value in the source is not the only one that a launch can have.
TEST(HostText, knowsWhatIsSettled) {
  Folder folder;
  folder.write("sizes.h",
               "namespace sizes { constexpr int depth = 16; }\nstatic int table() { int inner = 3; }\n");
  const std::string path = folder.write("main.cu", R"(
#include "sizes.h"
#define N 1000
static void elsewhere() { int w = 48; int twice = 2 * w; }
int main(int argc, char** argv) {
  int m = 64;
  if (argc > 1) m = atoi(argv[1]);
  const int width = N * depth, half = width / 2;
  int read = 5, step = 16;
  scanf("%d", &read);
  for (int n = 4096; n >= 16; n /= 2) {
    k<<<4, 64>>>(x);
    step++;
  }
  int later = 7;
}
)");
  const HostText host(path, 12);
  for (const char* settled : {"N", "width", "half + depth", "N * 4", "(size_t)width", "128"})
    EXPECT_TRUE(host.isSettled(settled)) << settled;
  for (const char* open : {"m", "w", "twice", "n", "read", "step", "later", "inner", "unknown", "N + m"})
    EXPECT_FALSE(host.isSettled(open)) << open;
}

TEST(HostText, goesRoundNoCircle) {
  Folder folder;
  HostText host(folder.write("main.cu", "int a = b; int b = a; #define F(x) F(x)\n\n"), 3);
  EXPECT_FALSE(host.value("a + 1"));
  EXPECT_FALSE(host.value("F(1)"));
  EXPECT_FALSE(HostText(folder.of("missing.cu"), 1).value("a"));
}

}  // namespace hone::device
