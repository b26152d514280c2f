#include "device/Case.h"

#include "Source.h"
#include "device/ChooseCase.h"
#include "ir/Error.h"

namespace hone::device {

namespace {

const char* const guarded = R"(
  __global__ void k(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
  })";

Settings with(const std::map<std::string, std::string>& set, const std::string& grid = "",
              const std::string& block = "") {
  Settings s;
  for (const auto& [name, value] : set) s.set[name] = {value, "--set " + name};
  if (!grid.empty()) s.grid = Given{grid, "--grid"};
  if (!block.empty()) s.block = Given{block, "--block"};
  return s;
}

std::string messageOf(const CaseMaker& maker) {
  try {
    maker.checkNames();
    maker.make();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was wrong";
}

}  // namespace

TEST(Case, guessesCoverTheBounds) {
  Case c = CaseMaker(kernelOf(guarded), {}, nullptr, nullptr).make();
  EXPECT_EQ(c.block, (std::array<uint32_t, 3>{256, 1, 1}));
  int64_t n = c.numbers.at("n").value.whole;
  EXPECT_NE(n % 256, 0);
  EXPECT_EQ(c.grid[0], static_cast<uint32_t>((n + 255) / 256));
  EXPECT_TRUE(c.hasGuess());
  EXPECT_EQ(c.guessText(), "--set n=1000 --grid 4 --block 256");
}

TEST(Case, givenNumbersDecide) {
  Case c =
      CaseMaker(kernelOf(guarded), with({{"n", "3 * 100"}}, "(n + 63) / 64", "64"), nullptr, nullptr).make();
  EXPECT_EQ(c.grid[0], 5u);
  EXPECT_EQ(c.block[0], 64u);
  EXPECT_FALSE(c.hasGuess());
}

TEST(Case, aGridThatSaysHowAKernelIsLaunchedIsRunInPart) {
  const ir::KernelPtr kernel = kernelOf(guarded);
  const ir::PlanPtr plan = ir::originalPlan(kernel);
  const CaseMaker maker(kernel, with({{"n", "16777216"}}, "(n + 255) / 256", "256"), nullptr, nullptr);
  Programs programs;
  DataOptions options;
  options.givenGridIsLaunch = true;
  const Case part = chooseCase(maker, plan, programs, options, {}).c;
  EXPECT_LT(part.grid[0], 65536u);
  EXPECT_EQ(part.fullGrid[0], 65536u);
  // What is to be run is run.
  const CaseMaker fewer(kernel, with({{"n", "8192"}}, "(n + 255) / 256", "256"), nullptr, nullptr);
  options.givenGridIsLaunch = false;
  EXPECT_EQ(chooseCase(fewer, plan, programs, options, {}).c.grid[0], 32u);
}

TEST(Case, theGridFollowsTheSizes) {
  // Numbers alone that were just enough for n are taken for the rule they come from.
  CaseMaker maker(kernelOf(guarded), with({{"n", "1000"}}, "4", "256"), nullptr, nullptr);
  EXPECT_EQ(maker.make({.sizes = {{"n", 37}}}).grid[0], 1u);
  CaseMaker fixed(kernelOf(guarded), with({{"n", "1000"}}, "9", "256"), nullptr, nullptr);
  EXPECT_EQ(fixed.make({.sizes = {{"n", 37}}}).grid[0], 9u);
}

TEST(Case, aLaunchInSightIsTaken) {
  Folder folder;
  std::string text = std::string("#define THREADS 128\n") + guarded +
                     "\nvoid run(float* a, float* b, int count) {\n"
                     "  int blocks = (count + THREADS - 1) / THREADS;\n"
                     "  k<<<blocks, THREADS>>>(a, b, count);\n}\n";
  std::string file = folder.write("k.cu", text);
  frontend::ImportResult import = importText(text, file);
  ASSERT_EQ(import.launches.size(), 1u);
  auto host = std::make_shared<HostText>(file, import.launches[0].launch.loc.line);
  CaseMaker maker(import.kernels[0].kernel, {}, &import.launches[0].launch, host);
  Case c = maker.make({.sizes = {{"n", 300}}});
  EXPECT_EQ(c.block[0], 128u);
  EXPECT_EQ(c.grid[0], 3u);
  EXPECT_EQ(c.gridOrigin, Origin::Launch);
  EXPECT_EQ(maker.make().grid[0], 8u);  // count is not known: guessed
}

TEST(Case, settingsThatDoNotFit) {
  auto message = [](const Settings& s) {
    return messageOf(CaseMaker(kernelOf(guarded), s, nullptr, nullptr));
  };
  EXPECT_EQ(message(with({{"m", "3"}})), "--set m: kernel 'k' has no number 'm'; it has n");
  EXPECT_EQ(message(with({{"n", "3.5"}})), "--set n: '3.5' is 3.5, and 'n' is a whole number");
  EXPECT_EQ(message(with({{"n", "1 +"}})), "--set n: in '1 +': a number is missing at the end");
  EXPECT_EQ(message(with({}, "0")), "--grid: extent x of '0' is 0; it must be at least 1");
  EXPECT_EQ(message(with({}, "n, q")), "--grid: in 'q': there is no 'q'");
  Settings length;
  length.length["c"] = {"n", "--length c"};
  EXPECT_EQ(message(length), "--length c: kernel 'k' has no array 'c'; it has a, b");
  Settings alias;
  alias.alias["a"] = {"q+1", "--alias a"};
  EXPECT_EQ(message(alias), "--alias a: 'q+1' does not begin with another array of the kernel, as in a=b+16");
}

TEST(Case, twoDimensions) {
  Case c = CaseMaker(kernelOf(R"(
    __global__ void k(float* a, int w, int h) {
      int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
      if (x < w && y < h) a[y * w + x] = 0;
    })"),
                     {}, nullptr, nullptr)
               .make();
  EXPECT_EQ(c.block, (std::array<uint32_t, 3>{16, 16, 1}));
  EXPECT_EQ(c.grid, (std::array<uint32_t, 3>{7, 7, 1}));
  EXPECT_NE(c.numbers.at("w").value.whole, c.numbers.at("h").value.whole);
}

}  // namespace hone::device
