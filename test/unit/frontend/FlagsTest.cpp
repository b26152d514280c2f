#include "frontend/CompilerFlags.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace hone::frontend {
namespace {

using Words = std::vector<std::string>;

CompilerFlags read(const Words& flags) { return readFlags(flags, "/src"); }

TEST(SplitCommandLine, followsTheShell) {
  EXPECT_EQ(splitCommandLine("  a 'b c'  \"d \\\"e\" f\\ g ''"), (Words{"a", "b c", "d \"e", "f g", ""}));
}

TEST(Flags, preprocessorFlagsInEverySpelling) {
  CompilerFlags flags =
      read({"-Iinc", "-I", "/abs", "--include-path=third", "-DA", "-D", "B=1", "--define-macro", "C=2", "-UD",
            "-isystem", "sys", "-isystem=sys2", "-include", "no_such.h"});
  EXPECT_EQ(flags.forClang,
            (Words{"-I/src/inc", "-I/abs", "-I/src/third", "-DA", "-DB=1", "-DC=2", "-UD", "-isystem",
                   "/src/sys", "-isystem", "/src/sys2", "-include", "no_such.h"}));
  EXPECT_TRUE(flags.notes.empty());
}

TEST(Flags, macroValuesKeepTheirEqualsSigns) {
  EXPECT_EQ(read({"-DX=a=b", "-Iname=dir"}).forClang, (Words{"-DX=a=b", "-I/src/name=dir"}));
}

TEST(Flags, theHighestArchitectureWins) {
  EXPECT_EQ(read({"-arch=sm_70"}).arch, "sm_70");
  EXPECT_EQ(read({"-arch", "compute_80"}).arch, "sm_80");
  EXPECT_EQ(
      read({"-gencode", "arch=compute_70,code=sm_70", "-gencode=arch=compute_90a,code=[sm_90a,compute_90a]",
            "--generate-code", "arch=compute_60,code=sm_60"})
          .arch,
      "sm_90a");
  EXPECT_EQ(read({"--cuda-gpu-arch=sm_86"}).arch, "sm_86");
  EXPECT_EQ(read({"-arch=native"}).arch, "");
}

TEST(Flags, whatChangesMeaningIsRemembered) {
  EXPECT_TRUE(read({"--use_fast_math"}).fastMath);
  EXPECT_TRUE(read({"-use_fast_math"}).fastMath);
  EXPECT_TRUE(read({"-cl-fast-relaxed-math"}).fastMath);
  EXPECT_TRUE(read({"-rdc=true"}).relocatableDeviceCode);
  EXPECT_FALSE(read({"-rdc=false"}).relocatableDeviceCode);
  EXPECT_TRUE(read({"-dc"}).relocatableDeviceCode);
  EXPECT_EQ(read({"-std=c++14"}).standard, "c++14");
  EXPECT_EQ(read({"--std", "c++20"}).standard, "c++20");
  EXPECT_EQ(read({"-cl-std=CL2.0"}).openclStandard, "CL2.0");
  EXPECT_EQ(read({"-x", "cu"}).language, "cuda");
  EXPECT_EQ(read({"-xcuda"}).language, "cuda");
  EXPECT_EQ(read({"--cuda-path=/opt/cuda"}).cudaPath, "/opt/cuda");
}

TEST(Flags, hostCompilerFlagsPassOnWhatMatters) {
  CompilerFlags flags =
      read({"-Xcompiler", "-fopenmp,-DHOST=1", "-Xcompiler=-Wall", "-Xcompiler", "\"-Ihost -fPIC\""});
  EXPECT_EQ(flags.forClang.front(), "-DHOST=1");
  EXPECT_TRUE(flags.openmp);
  EXPECT_TRUE(flags.notes.empty());
}

TEST(Flags, buildFlagsAreIgnoredWithoutAWord) {
  CompilerFlags flags = read({"-O3",
                              "-g",
                              "-G",
                              "-lineinfo",
                              "-c",
                              "-o",
                              "x.o",
                              "-lcudart",
                              "-L/usr/lib",
                              "-Xptxas",
                              "-v",
                              "-ccbin",
                              "g++",
                              "-maxrregcount=32",
                              "--expt-relaxed-constexpr",
                              "--extended-lambda",
                              "-m64",
                              "-Wall",
                              "-MD",
                              "-MF",
                              "x.d",
                              "-MT",
                              "x.o",
                              "--threads",
                              "4",
                              "-diag-suppress",
                              "177",
                              "-Wno-deprecated-gpu-targets",
                              "-cudart=shared"});
  EXPECT_TRUE(flags.forClang.empty());
  EXPECT_TRUE(flags.inputs.empty()) << flags.inputs.front();
  EXPECT_TRUE(flags.notes.empty()) << flags.notes.front();
}

TEST(Flags, unknownFlagsAreSkippedWithAWord) {
  CompilerFlags flags = read({"--no-such-flag=3", "-DA"});
  ASSERT_EQ(flags.notes.size(), 1u);
  EXPECT_EQ(flags.notes[0], "skipped compiler flag --no-such-flag=3");
  EXPECT_EQ(flags.forClang, (Words{"-DA"}));
}

TEST(Flags, inputsAreAbsolute) {
  EXPECT_EQ(read({"-c", "a.cu", "/b.cu"}).inputs, (Words{"/src/a.cu", "/b.cu"}));
}

TEST(Flags, responseFilesAreRead) {
  std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("hone_flags_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "one.rsp") << "-DONE @two.rsp";
  std::ofstream(folder / "two.rsp") << "-DTWO=\"a b\"\n-arch=sm_75\n";
  CompilerFlags flags = readFlags({"@one.rsp", "-optf", "two.rsp"}, folder.string());
  EXPECT_EQ(flags.forClang, (Words{"-DONE", "-DTWO=a b", "-DTWO=a b"}));
  EXPECT_EQ(flags.arch, "sm_75");
  EXPECT_EQ(readFlags({"@missing.rsp"}, folder.string()).notes.size(), 1u);
  std::filesystem::remove_all(folder);
}

TEST(Flags, aResponseFileThatNamesItselfEnds) {
  std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("hone_flags_loop_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "loop.rsp") << "-DX @loop.rsp";
  EXPECT_FALSE(readFlags({"@loop.rsp"}, folder.string()).notes.empty());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace hone::frontend
