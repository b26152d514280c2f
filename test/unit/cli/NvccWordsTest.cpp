#include "cli/programs/NvccWords.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/programs/BuildProgram.h"
#include "ir/Error.h"

namespace hone::cli {
namespace {

using Kind = NvccWord::Kind;

// "name=value" of options, ":" before inputs, "?" before what is not known.
std::vector<std::string> read(std::vector<std::string> words) {
  std::vector<std::string> out;
  for (const NvccWord& one : readNvccWords(words))
    out.push_back(one.kind == Kind::Input     ? ":" + one.name
                  : one.kind == Kind::Unknown ? "?" + one.name
                                              : one.name + "=" + one.value);
  return out;
}

using Words = std::vector<std::string>;

TEST(NvccWords, ValuesStandBehindInEveryManner) {
  EXPECT_EQ(read({"-Iinc", "-I", "more", "--include-path=third", "-DN=4", "--define-macro", "M", "a.cu"}),
            (Words{"-I=inc", "-I=more", "-I=third", "-D=N=4", "-D=M", ":a.cu"}));
  EXPECT_EQ(
      read({"-gencode=arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90", "-arch=sm_90"}),
      (Words{"-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90", "-arch=sm_90"}));
  EXPECT_EQ(read({"-O3", "-std=c++17", "--std", "c++14", "-lm", "-L/lib", "-lineinfo", "-m64"}),
            (Words{"-O=3", "-std=c++17", "-std=c++14", "-l=m", "-L=/lib", "-lineinfo=", "-m64="}));
  EXPECT_EQ(read({"-Xcompiler", "-fPIC,-Wall", "-Xptxas=-v", "-rdc=true", "-dc", "-x", "cu", "k.cpp"}),
            (Words{"-Xcompiler=-fPIC,-Wall", "-Xptxas=-v", "-rdc=true", "-dc=", "-x=cu", ":k.cpp"}));
}

TEST(NvccWords, WhatIsNotKnownStandsAlone) {
  EXPECT_EQ(read({"-march=native", "-fopenmp", "-Wall", "a.o", "-"}),
            (Words{"?-march=native", "?-fopenmp", "?-Wall", ":a.o", ":-"}));
}

TEST(NvccWords, WordsKnowWhereTheyStand) {
  std::vector<std::string> words{"-I", "inc", "a.cu", "-o", "a"};
  const std::vector<NvccWord> out = readNvccWords(words);
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[1].first, 2u);
  EXPECT_EQ(out[2].first, 3u);
  EXPECT_EQ(out[2].count, 2u);
}

TEST(NvccWords, OptionsInFiles) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("hone-nvcc-" + std::to_string(getpid()))).string();
  std::ofstream(path) << "-DNAME=\"two words\" -I 'a folder'\n  b.cu\n";
  EXPECT_EQ(read({"-c", "--options-file", path, "c.cu"}),
            (Words{"-c=", "-D=NAME=two words", "-I=a folder", ":b.cu", ":c.cu"}));
  std::ofstream(path) << "-optf " << path;
  EXPECT_THROW(read({"-optf=" + path}), Error);
  std::filesystem::remove(path);
  EXPECT_THROW(read({"-optf=" + path}), Error);
}

TEST(NvccWords, AnOptionWithoutItsValueIsAnError) { EXPECT_THROW(read({"a.cu", "-o"}), Error); }

TEST(NvccWords, BuildsForTheEmbeddedDeviceTakeWhatTheyNeed) {
  std::vector<std::string> notes;
  const BuildRequest request =
      readBuildWords({"-Iinc", "-arch", "sm_90", "-Xcompiler", "-DA,-fPIC", "-O3", "--use_fast_math",
                      "-lcudart", "-lm", "-isystem", "sys", "-dc", "a.cu", "b.o", "-odd", "-o", "out"},
                     notes);
  EXPECT_EQ(request.flags, (Words{"-Iinc", "-DA", "-O3", "-isystem", "sys"}));
  EXPECT_EQ(request.linkFlags, Words{"-lm"});
  EXPECT_EQ(request.sources, Words{"a.cu"});
  EXPECT_EQ(request.objects, Words{"b.o"});
  EXPECT_EQ(request.output, "out");
  EXPECT_TRUE(request.compileOnly);
  EXPECT_EQ(notes, Words{"flag '-odd' is not known here and skipped"});
}

}  // namespace
}  // namespace hone::cli
