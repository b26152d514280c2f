// What hone nvcc reads off a command line of nvcc.
#include "cli/nvcc/NvccCall.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/nvcc/BuildTarget.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

// A folder with some sources, in which the test runs.
class NvccCallTest : public ::testing::Test {
 protected:
  void SetUp() override {
    before = fs::current_path();
    folder = fs::temp_directory_path() / ("hone-nvcc-call-" + std::to_string(::getpid()));
    fs::create_directories(folder / "src");
    fs::current_path(folder);
    for (const char* name : {"a.cu", "src/b.cu", "c.cpp"}) std::ofstream(name) << "\n";
  }
  void TearDown() override {
    fs::current_path(before);
    fs::remove_all(folder);
  }

  static Strings sourcesOf(const Strings& words) {
    Strings out;
    for (const NvccCall::Source& one : readNvccCall(words).sources) out.push_back(one.path);
    return out;
  }

  fs::path before, folder;
};

TEST_F(NvccCallTest, SourcesAreThoseThatAreCompiled) {
  EXPECT_EQ(sourcesOf({"-O2", "-c", "a.cu", "-o", "a.o"}), Strings{"a.cu"});
  EXPECT_EQ(sourcesOf({"a.cu", "src/b.cu", "c.cpp", "d.o", "-o", "program"}), (Strings{"a.cu", "src/b.cu"}));
  EXPECT_EQ(sourcesOf({"-x", "cu", "-dc", "c.cpp"}), Strings{"c.cpp"});
  EXPECT_EQ(sourcesOf({"-x", "c++", "-c", "a.cu"}), Strings{});
  EXPECT_EQ(sourcesOf({"-c", "missing.cu"}), Strings{});
  for (const char* word :
       {"-E", "-M", "-MM", "-dlink", "--lib", "--dryrun", "--version", "-run", "-DHONE_OFF"})
    EXPECT_EQ(sourcesOf({word, "a.cu"}), Strings{}) << word;
  EXPECT_EQ(sourcesOf({"-o"}), Strings{});
  EXPECT_EQ(sourcesOf({"@missing", "a.cu"}), Strings{});
}

TEST_F(NvccCallTest, ArchitecturesAreAllThatAreNamed) {
  const NvccCall call = readNvccCall({"-c", "a.cu", "-gencode", "arch=compute_75,code=sm_86",
                                      "--generate-code=arch=compute_90a,code=[compute_90a,sm_90a]"});
  EXPECT_EQ(call.architectures, (std::vector<int>{75, 86, 90}));
  EXPECT_FALSE(call.hasOpenArchitecture);
  const BuildTarget target = buildTarget(call, 13000);
  EXPECT_EQ(target.model, "h100");
  EXPECT_EQ(target.lowest, (target::ComputeCapability{7, 5}));
}

TEST_F(NvccCallTest, TheModelIsOfTheHighestThatIsKnown) {
  EXPECT_EQ(buildTarget(readNvccCall({"-arch=sm_86", "a.cu"}), 0).model, "a100");
  EXPECT_EQ(buildTarget(readNvccCall({"-arch=sm_80", "a.cu"}), 0).model, "a100");
  const BuildTarget native = buildTarget(readNvccCall({"-arch=native", "a.cu"}), 13000);
  EXPECT_EQ(native.model, "");
  EXPECT_EQ(native.lowest, (target::ComputeCapability{7, 5}));
  EXPECT_EQ(buildTarget(readNvccCall({"a.cu"}), 12040).lowest, (target::ComputeCapability{5, 2}));
}

TEST_F(NvccCallTest, InstructionsAreThoseOfTheLowest) {
  target::Target machine;
  machine.computeCapability = target::ComputeCapability{9, 0};
  EXPECT_TRUE(machine.hasAsyncCopies());
  machine.lowest = target::ComputeCapability{7, 5};
  EXPECT_FALSE(machine.hasAsyncCopies());
  EXPECT_TRUE(machine.hasShuffles());
}

TEST_F(NvccCallTest, DependenciesStandWhereNvccPutsThem) {
  const NvccCall named = readNvccCall({"-MD", "-MF", "x.d", "-c", "a.cu"});
  EXPECT_EQ(named.dependencyCandidates(named.sources[0]), Strings{"x.d"});
  const NvccCall long_ =
      readNvccCall({"--generate-dependencies-with-compile", "--dependency-output", "y.d", "-c", "a.cu"});
  EXPECT_EQ(long_.dependencyCandidates(long_.sources[0]), Strings{"y.d"});
  const NvccCall beside = readNvccCall({"-MMD", "-c", "src/b.cu", "-o", "out/b.o"});
  const Strings places = beside.dependencyCandidates(beside.sources[0]);
  for (const char* place : {"out/b.d", "b.d"})
    EXPECT_NE(std::find(places.begin(), places.end(), place), places.end()) << place;
  const NvccCall host = readNvccCall({"-Xcompiler", "-MMD,-MF,z.d", "-c", "a.cu"});
  EXPECT_EQ(host.dependencyCandidates(host.sources[0]), Strings{"z.d"});
  const NvccCall none = readNvccCall({"-c", "a.cu"});
  EXPECT_TRUE(none.dependencyCandidates(none.sources[0]).empty());
}

}  // namespace
}  // namespace hone::cli
