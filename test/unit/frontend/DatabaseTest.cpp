#include "frontend/CompilationDatabase.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace hone::frontend {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class Database : public testing::Test {
 protected:
  Database() : folder(fs::path(testing::TempDir()) / ("hone_database_" + std::to_string(::getpid()))) {
    fs::create_directories(folder);
  }
  ~Database() override { fs::remove_all(folder); }

  std::optional<CompilationDatabase> load(const std::string& text) {
    std::ofstream(folder / "compile_commands.json") << text;
    return CompilationDatabase::load(folder.string(), error);
  }

  fs::path folder;
  std::string error;
};

TEST_F(Database, readsArgumentsAndCommands) {
  auto database = load(R"([
    {"directory": "/w/build", "file": "../a.cu", "arguments": ["nvcc", "-DA=1", "-o", "a.o", "-c", "../a.cu"]},
    {"directory": "/w/build", "file": "/w/b.cu", "command": "/usr/bin/nvcc -I'my dir' -arch=sm_80 -c /w/b.cu -o b.o"}])");
  ASSERT_TRUE(database) << error;
  const CompileCommand* a = database->find("/w/a.cu");
  ASSERT_TRUE(a);
  EXPECT_EQ(a->flags, (Words{"-DA=1", "-c"}));
  EXPECT_EQ(a->directory, "/w/build");
  const CompileCommand* b = database->find("/w/x/../b.cu");
  ASSERT_TRUE(b);
  EXPECT_EQ(b->flags, (Words{"-Imy dir", "-arch=sm_80", "-c"}));
  EXPECT_FALSE(database->find("/w/c.cu"));
}

TEST_F(Database, launchersBeforeTheCompilerAreNoFlags) {
  auto database =
      load(R"([{"directory": "/w", "file": "a.cu", "command": "cmake -E env X=1 ccache nvcc -DA -c a.cu"}])");
  ASSERT_TRUE(database) << error;
  EXPECT_EQ(database->find("/w/a.cu")->flags, (Words{"-DA", "-c"}));
}

TEST_F(Database, aHeaderTakesTheFlagsOfAFileNearby) {
  auto database = load(R"([
    {"directory": "/w", "file": "/w/other/x.cu", "arguments": ["nvcc", "-DX"]},
    {"directory": "/w", "file": "/w/lib/scan.cu", "arguments": ["nvcc", "-DSCAN"]},
    {"directory": "/w", "file": "/w/lib/reduce.cu", "arguments": ["nvcc", "-DREDUCE"]},
    {"directory": "/w", "file": "/w/lib/reduce_main.cpp", "arguments": ["g++", "-DCPP"]}])");
  ASSERT_TRUE(database) << error;
  EXPECT_FALSE(database->find("/w/lib/reduce_kernels.cuh"));
  EXPECT_EQ(database->findNearest("/w/lib/reduce_kernels.cuh")->flags, (Words{"-DREDUCE"}));
}

TEST_F(Database, badFilesSayWhy) {
  EXPECT_FALSE(load("{ not json"));
  EXPECT_NE(error.find("is not a compilation database"), std::string::npos);
  EXPECT_FALSE(CompilationDatabase::load((folder / "none").string(), error));
  EXPECT_NE(error.find("cannot be read"), std::string::npos);
}

TEST_F(Database, wrongTypesAreNamed) {
  const auto problem = [&](const std::string& json) {
    std::ofstream(folder / "compile_commands.json") << json;
    std::string error;
    EXPECT_FALSE(CompilationDatabase::load(folder.string(), error)) << json;
    return error.substr(error.find(".json: ") + 7);
  };
  EXPECT_EQ(problem("[{}, 3]"), "entry 2: is no object");
  EXPECT_EQ(problem(R"([{"file": 7}])"), "entry 1: `file` is no text");
  EXPECT_EQ(problem(R"([{"file": "a.cu", "directory": []}])"), "entry 1: `directory` is no text");
  EXPECT_EQ(problem(R"([{"file": "a.cu", "command": {}}])"), "entry 1: `command` is no text");
  EXPECT_EQ(problem(R"([{"file": "a.cu", "arguments": "nvcc"}])"), "entry 1: `arguments` is no list");
  EXPECT_EQ(problem(R"([{"file": "a.cu", "arguments": ["nvcc", 1]}])"),
            "entry 1: `arguments` has something in it that is no text");
}

TEST_F(Database, entriesWithoutAFileAreSkipped) {
  auto database = load(R"([{"directory": "/w"}, {"arguments": ["nvcc"]}])");
  ASSERT_TRUE(database);
  EXPECT_TRUE(database->commands().empty());
  EXPECT_FALSE(database->findNearest("/w/a.cu"));
}

}  // namespace
}  // namespace hone::frontend
