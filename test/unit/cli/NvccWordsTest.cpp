#include "cli/programs/NvccWords.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

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
  EXPECT_EQ(request.flags, (Words{"-DA", "-Iinc", "-O3", "-isystem", "sys"}));
  EXPECT_EQ(request.hostFlags, Words{"-fPIC"});
  EXPECT_EQ(request.linkFlags, Words{"-lm"});
  EXPECT_EQ(request.sources, Words{"a.cu"});
  EXPECT_EQ(request.objects, Words{"b.o"});
  EXPECT_EQ(request.output, "out");
  EXPECT_EQ(request.phase, BuildPhase::Object);
  EXPECT_EQ(notes, Words{"flag '-odd' is not known here and skipped"});
}

// Each option changes what is built, is skipped with a word, refused, or among those that change nothing.
TEST(NvccWords, EveryOptionHasAMeaningForBuilds) {
  const std::map<std::string_view, std::string> values{
      {"-rdc", "true"}, {"-default-stream", "per-thread"}, {"-m", "64"}, {"-x", "cu"}, {"-Xcompiler", "-g"}};
  std::vector<std::string> none;
  const BuildRequest plain = readBuildWords({"a.cu"}, none);
  for (const NvccOption& option : nvccOptions()) {
    const std::string name(option.shortName);
    Words words{"a.cu", name}, notes;
    if (option.value != NvccOption::Value::None)
      words.push_back(values.contains(name) ? values.at(name) : "1");
    bool isDone = false;
    try {
      isDone = readBuildWords(words, notes) != plain;
    } catch (const Error&) {
      isDone = true;
    }
    EXPECT_NE(isDone || !notes.empty(), isWithoutEffect(name)) << name;
  }
}

TEST(NvccWords, TheEarliestPhaseCounts) {
  Words notes;
  EXPECT_EQ(readBuildWords({"-lib", "-c", "a.cu"}, notes).phase, BuildPhase::Object);
  EXPECT_EQ(readBuildWords({"-E", "-ptx", "-dlink", "a.cu"}, notes).phase, BuildPhase::Preprocess);
  EXPECT_EQ(readBuildWords({"-MM", "-MD", "-c", "-E", "a.cu"}, notes).phase, BuildPhase::Dependencies);
  EXPECT_EQ(readBuildWords({"-shared", "-lib", "a.cu"}, notes).phase, BuildPhase::Archive);
}

TEST(NvccWords, ListsAreDividedAsNvccDoes) {
  EXPECT_EQ(partsOfList("-DA=1,-DB=\"x,y\",-DC=1\\,2"), (Words{"-DA=1", "-DB=\"x,y\"", "-DC=1,2"}));
  Words notes;
  const BuildRequest request = readBuildWords(
      {"-DA=1,B=2", "-DF(x,y)=x+y", "-Ia,b", "-Xlinker", "-rpath,/lib", "-lm,cudart,z", "-Xcompiler",
       "-DS=a b -O1", "-Xcompiler", "-MF", "-Xcompiler", "x.d", "-Xcompiler", "'-fPIC'", "a.cu"},
      notes);
  EXPECT_EQ(request.flags, (Words{"-DS=a b", "-O1", "-DA=1", "-DB=2", "-DF(x,y)=x+y", "-Ia", "-Ib"}));
  EXPECT_EQ(request.linkFlags, (Words{"-Xlinker", "-rpath", "-Xlinker", "/lib", "-lm", "-lz"}));
  EXPECT_EQ(request.dependencies.file, "x.d");
  EXPECT_EQ(request.hostFlags, Words{"-fPIC"});
  EXPECT_TRUE(notes.empty());
}

}  // namespace
}  // namespace hone::cli
