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

// The maker for a kernel and the first launch in what follows it.
struct Launched {
  Folder folder;
  frontend::ImportResult import;
  std::unique_ptr<CaseMaker> maker;

  Launched(const std::string& kernel, const std::string& host) {
    const std::string text = kernel + "\n" + host, file = folder.write("k.cu", text);
    import = importText(text, file);
    const auto first = std::make_shared<HostText>(file, import.launches.at(0).launch.loc.line);
    maker =
        std::make_unique<CaseMaker>(import.kernels[0].kernel, Settings(), &import.launches[0].launch, first);
    std::vector<SeenLaunch> others;
    for (size_t i = 1; i < import.launches.size(); ++i)
      others.push_back({&import.launches[i].launch,
                        std::make_shared<HostText>(first->from(import.launches[i].launch.loc.line, 1))});
    maker->setOtherLaunches(std::move(others));
  }
};

TEST(Case, whatOneLaunchOfSeveralHasIsAGuess) {
  const Launched branch(guarded, R"(
void run(float* a, float* b, int n) {
  int threads = 256, grid = 8;
  if (n < 1024) threads = 64;
  k<<<grid, threads>>>(a, b, n);
})");
  EXPECT_EQ(branch.maker->make().blockOrigin, Origin::Guess);
  EXPECT_EQ(branch.maker->make().block[0], 256u);
  EXPECT_EQ(branch.maker->make().gridOrigin, Origin::Launch);
  EXPECT_EQ(branch.maker->withGuess({.block = {{128, 1, 1}}}).make().block[0], 128u);
  const Launched two(guarded, R"(
void run(float* a, float* b, int grid) {
  k<<<4, 128>>>(a, b, 512);
  k<<<4, 64>>>(a, b, 512);
  k<<<4, 64>>>(a, b, 512);
})");
  EXPECT_EQ(two.maker->make().blockOrigin, Origin::Guess);
  EXPECT_TRUE(two.maker->make().numbers.at("n").isKnown());
  const Launched same(guarded, R"(
void run(float* a, float* b) {
  const int n = 512, threads = 128;
  k<<<4, threads>>>(a, b, n);
  for (int i = 0; i < 9; ++i) k<<<4, 128>>>(a, b, 512);
})");
  EXPECT_EQ(same.maker->make().blockOrigin, Origin::Launch);
  EXPECT_TRUE(same.maker->make().numbers.at("n").isKnown());
  const Launched other(guarded, R"(
void run(float* a, float* b) {
  k<<<4, 128>>>(a, b, 512);
  k<<<4, 128>>>(a, b, 400);
})");
  EXPECT_TRUE(other.maker->make().numbers.at("n").mayDiffer);
  EXPECT_EQ(other.maker->make().guessedSizes(), (std::map<std::string, int64_t>{{"n", 512}}));
}

TEST(Case, whatFollowsFromAGuessIsNotKnown) {
  const Launched by(
      "__global__ void k(float* a, int n, int m) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) for (int j = 0; j < m; ++j) a[i * m + j] = 0;\n}\n",
      "void run(float* a, int n) { k<<<(n + 63) / 64, 64>>>(a, n, 2 * n); }\n");
  const Case c = by.maker->make();
  const int64_t n = c.numbers.at("n").value.asWhole();
  EXPECT_EQ(c.numbers.at("m").value.asWhole(), 2 * n);
  EXPECT_EQ(c.guessedSizes(), (std::map<std::string, int64_t>{{"m", 2 * n}, {"n", n}}));
  EXPECT_EQ(c.gridOrigin, Origin::Launch);
}

// Where guesses lead to findings, a launch that is read in full is tried at sizes that still fit each other.
TEST(Case, aReadLaunchIsMadeSmaller) {
  const char* const rows =
      "struct Shape { int rows, width, half; };\n"
      "__global__ void k(float* a, Shape s) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < s.rows) for (int j = 0; j < s.half; ++j) a[i * s.width + 2 * j] = 0;\n}\n";
  const Launched read(rows, R"(
int atoi(const char*);
void launch(float* a, const Shape& shape) {
  k<<<shape.rows / 256, 256>>>(a, shape);
}
int main(int argc, char** argv) {
  const int rows = argc > 1 ? atoi(argv[1]) : 1 << 20;
  Shape s{rows, 1024, 512};
  launch(nullptr, s);
})");
  const auto isOfText = [](const LaunchGuess& one) { return one.readLaunch; };
  const std::vector<LaunchGuess> guesses = read.maker->otherGuesses();
  ASSERT_TRUE(std::any_of(guesses.begin(), guesses.end(), isOfText));
  const Case c = read.maker->withGuess({.readLaunch = true}).make();
  const auto at = [&](const char* path) { return c.numbers.at(path).value.asWhole(); };
  EXPECT_LE(at("s.width"), 256);
  EXPECT_EQ(at("s.width"), 2 * at("s.half"));
  EXPECT_EQ(at("s.rows"), 256 * c.grid[0]);
  EXPECT_LT(c.grid[0], 4096u);
  EXPECT_EQ(c.fullGrid[0], 4096u);
  EXPECT_EQ(c.gridOrigin, Origin::Guess);
  for (const char* path : {"s.rows", "s.width", "s.half"}) EXPECT_FALSE(c.numbers.at(path).isKnown()) << path;
  const Launched open(rows, R"(
int atoi(const char*);
void launch(float* a, const Shape& shape) {
  k<<<shape.rows / 256, 256>>>(a, shape);
}
int main(int argc, char** argv) {
  Shape s{atoi(argv[1]), 1024, 512};
  launch(nullptr, s);
})");
  const std::vector<LaunchGuess> others = open.maker->otherGuesses();
  EXPECT_TRUE(std::none_of(others.begin(), others.end(), isOfText));
}

TEST(Case, laterTurnsOfTheHostsLoop) {
  const Launched loop(
      "__global__ void k(float* a, int n, int t) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n - 1 - t) a[i + t + 1] -= a[t];\n}\n",
      "void run(float* a) {\n  int n = 256;\n  for (int t = 0; t < n - 1; t++) {\n"
      "    k<<<(n - t + 63) / 64, 64>>>(a, n, t);\n  }\n}\n");
  const Case first = loop.maker->make(), last = loop.maker->make({.turn = HostText::Turn::Last});
  EXPECT_EQ(first.numbers.at("t").value.asWhole(), 0);
  EXPECT_TRUE(first.numbers.at("t").mayDiffer);
  EXPECT_EQ(loop.maker->make({.turn = HostText::Turn::Middle}).numbers.at("t").value.asWhole(), 127);
  EXPECT_EQ(last.numbers.at("t").value.asWhole(), 254);
  EXPECT_EQ(first.grid[0], 4u);
  EXPECT_EQ(last.grid[0], 1u);
}

TEST(Case, noGpuLaunchesIt) {
  const auto problem = [&](const char* grid, const char* block) {
    try {
      CaseMaker(kernelOf(guarded), with({{"n", "1000"}}, grid, block), nullptr, nullptr).make();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(problem("4", "1024"), "");
  EXPECT_NE(problem("4", "5000").find("a block of 5000 has 5000 threads"), std::string::npos);
  EXPECT_NE(problem("4", "1, 1, 128").find("128 threads along z"), std::string::npos);
  EXPECT_NE(problem("1, 70000", "32").find("70000 blocks along y"), std::string::npos);
  EXPECT_EQ(problem("1, 65535", "32"), "");
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
