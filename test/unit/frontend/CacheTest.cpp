#include "frontend/HeaderCache.h"

#include "frontend/ParseSource.h"
#include "frontend/ToolchainPaths.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace hone::frontend {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* text =
    "#include <cuda_runtime.h>\n#include <stdint.h>\n#include <limits.h>\n"
    "__global__ void k(int32_t* a) { a[threadIdx.x] = INT_MAX; }\n";

class Cache : public testing::Test {
 protected:
  Cache() : folder(fs::path(testing::TempDir()) / ("hone_cache_" + std::to_string(::getpid()))) {
    fs::remove_all(folder);
    ::setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  }
  ~Cache() override {
    std::error_code ignored;
    fs::permissions(folder, fs::perms::owner_all, ignored);
    fs::remove_all(folder, ignored);
    ::unsetenv("XDG_CACHE_HOME");
  }

  ParsedSource parseOnce(Words flags = {}) {
    SourceRequest request;
    request.path = "/hone-test/x.cu";
    request.contents = text;
    request.headers = CudaHeaders::BuiltIn;
    request.flags = std::move(flags);
    return parse(request);
  }

  std::size_t files(const std::string& extension) const {
    std::size_t count = 0;
    std::error_code error;
    for (fs::directory_iterator it(folder / "hone", error), end; !error && it != end; it.increment(error))
      count += it->path().extension() == extension;
    return count;
  }

  fs::path folder;
};

TEST_F(Cache, aSetIsMadeWhenItComesUpAgain) {
  EXPECT_TRUE(parseOnce().usesHeaderCache());
  EXPECT_EQ(files(".pch"), 1u) << "the force-included headers alone";
  ParsedSource second = parseOnce();
  EXPECT_TRUE(second.usesHeaderCache());
  EXPECT_FALSE(second.hasErrors()) << second.renderedErrors();
  EXPECT_EQ(second.declarations().size(), 1u);
  EXPECT_EQ(files(".pch"), 2u) << "and with the standard headers of this file";
  EXPECT_EQ(files(".tmp"), 0u);
}

TEST_F(Cache, whatSteersHeadersMakesAnotherSet) {
  for (int i = 0; i < 2; ++i) parseOnce();
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(parseOnce({"-DTILE=4", "-Isomewhere"}).hasErrors());
  EXPECT_EQ(files(".pch"), 2u);
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(parseOnce({"-D_GLIBCXX_ASSERTIONS", "-arch=sm_80"}).hasErrors());
  EXPECT_EQ(files(".pch"), 4u);
}

TEST_F(Cache, macrosFromTheCommandLineStillCount) {
  for (int i = 0; i < 3; ++i) {
    SourceRequest request;
    request.path = "/hone-test/y.cu";
    request.contents = std::string(text) + "__global__ void m(int* a) { a[0] = TILE; }\n";
    request.headers = CudaHeaders::BuiltIn;
    request.flags = {"-DTILE=" + std::to_string(i)};
    ParsedSource parsed = parse(request);
    EXPECT_FALSE(parsed.hasErrors()) << parsed.renderedErrors();
    EXPECT_TRUE(parsed.usesHeaderCache());
  }
}

TEST_F(Cache, aDamagedFileIsNoError) {
  for (int i = 0; i < 2; ++i) parseOnce();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "hone"))
    if (entry.path().extension() == ".pch") std::ofstream(entry.path(), std::ios::trunc) << "not a header";
  ParsedSource parsed = parseOnce();
  EXPECT_TRUE(parsed.hasAst()) << parsed.failure();
  EXPECT_FALSE(parsed.hasErrors()) << parsed.renderedErrors();
  EXPECT_TRUE(parseOnce().usesHeaderCache()) << "it should have been made again";
}

TEST_F(Cache, aChangedHeaderIsNoticed) {
  fs::create_directories(folder / "own");
  std::string more = (folder / "own/more.h").string();
  std::ofstream(more) << "#pragma GCC system_header\n#define LENGTH 4\n";
  std::ofstream(folder / "own/limits.h")
      << "#pragma GCC system_header\n#include_next <limits.h>\n#include \"more.h\"\n";
  SourceRequest request;
  request.path = "/hone-test/x.cu";
  request.contents =
      "#include <limits.h>\n__global__ void k(int* a) { a[0] = LENGTH; static_assert(LENGTH == WANTED, "
      "\"\"); }\n";
  request.headers = CudaHeaders::BuiltIn;
  ::setenv("CPLUS_INCLUDE_PATH", (folder / "own").c_str(), 1);
  request.flags = {"-DWANTED=4"};
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(parse(request).hasErrors()) << parse(request).renderedErrors();
  EXPECT_TRUE(parse(request).usesHeaderCache());
  std::ofstream(more) << "#pragma GCC system_header\n#define LENGTH 16 // now longer\n";
  request.flags = {"-DWANTED=16"};
  for (int i = 0; i < 3; ++i) {
    ParsedSource parsed = parse(request);
    EXPECT_FALSE(parsed.hasErrors()) << parsed.renderedErrors();
  }
  ::unsetenv("CPLUS_INCLUDE_PATH");
}

TEST_F(Cache, aFolderThatCannotBeWrittenIsNoError) {
  std::ofstream(folder) << "a file where the folder should be";
  for (int i = 0; i < 3; ++i) {
    ParsedSource parsed = parseOnce();
    EXPECT_FALSE(parsed.hasErrors()) << parsed.renderedErrors();
    EXPECT_FALSE(parsed.usesHeaderCache());
  }
}

TEST_F(Cache, isTheUsersAlone) {
  EXPECT_TRUE(parseOnce().usesHeaderCache());
  EXPECT_EQ(fs::status(folder / "hone").permissions(), fs::perms::owner_all);
  fs::permissions(folder / "hone", fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
  EXPECT_TRUE(parseOnce().usesHeaderCache());
  EXPECT_EQ(fs::status(folder / "hone").permissions(), fs::perms::owner_all) << "from a time before that";
  // What others may have put there is neither read nor executed.
  fs::permissions(folder / "hone", fs::perms::all);
  EXPECT_EQ(cacheDirectory(), "");
  EXPECT_FALSE(parseOnce().usesHeaderCache());
  EXPECT_EQ(privateFolder((folder / "hone").string()), "");
  EXPECT_EQ(privateFolder((folder / "new").string()), (folder / "new").string());
  if (::geteuid() == 0) {
    EXPECT_EQ(::chown((folder / "new").c_str(), 12345, 12345), 0);
    EXPECT_EQ(privateFolder((folder / "new").string()), "");
  }
}

TEST(PrecompilableIncludes, onlyWhatMayBeReadAhead) {
  EXPECT_EQ(precompilableIncludes(
                "#include <vector>\n#include \"mine.h\"\n# include <cassert>\n#include <cmath>\n", {}),
            (Words{"cmath", "vector"}));
  EXPECT_EQ(precompilableIncludes("#define _USE_MATH_DEFINES\n#include <cmath>\n", {}), (Words{}));
  EXPECT_EQ(precompilableIncludes("#define CUDA_CHECK(x) x\n#define _TILE 4\n#include <cmath>\n", {}),
            (Words{"cmath"}));
  EXPECT_EQ(precompilableIncludes("#ifndef _MY_H_\n#define _MY_H_\n#include <cmath>\n", {}),
            (Words{"cmath"}));
}

}  // namespace
}  // namespace hone::frontend
