#include "cli/rewrite/RewriteProgram.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ir/Walk.h"

namespace fs = std::filesystem;
namespace ir = hone::ir;
using hone::cli::GivenFile;
using hone::cli::RewriteProgram;

namespace {

// Claims that every 3 was written as a named constant.
class NameThrees : public ir::Rewriter {
 public:
  explicit NameThrees(std::string to) : name(std::move(to)) {}

 protected:
  ir::ExprPtr mapExpr(const ir::ExprPtr& e) override {
    const auto* literal = ir::as<ir::IntLiteral>(e);
    if (!literal || literal->value != 3) return e;
    return ir::makeExpr(e->type, ir::IntLiteral{3, "", name}, e->loc);
  }

 private:
  std::string name;
};

class ReadBack : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("hone-readback-" + std::to_string(::getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  GivenFile import(const std::string& name, const std::string& text) {
    std::string path = (folder / name).string();
    std::ofstream(path) << text;
    GivenFile file{path, hone::cli::canonicalPath(path), {}, {}};
    file.request.path = path;
    file.import = hone::frontend::importFile(file.request);
    return file;
  }

  static void rename(hone::frontend::ImportedKernel& kernel, const std::string& name) {
    auto copy = std::make_shared<ir::Kernel>(*kernel.kernel);
    copy->body = NameThrees(name).rewriteBlock(copy->body);
    kernel.kernel = copy;
  }

  fs::path folder;
};

constexpr const char* twoKernels =
    "#define FOUR 4\n"
    "__global__ void bad(int* x) {x[0]=3;}\n"
    "__global__ void good(int* x) {x[1]=5;}\n";

TEST_F(ReadBack, WhatReadsBackGoesOut) {
  std::vector<GivenFile> files = {import("k.cu", twoKernels)};
  ASSERT_EQ(files[0].import.kernels.size(), 2u);
  RewriteProgram program(files, {});
  program.run();
  for (const auto& outcome : program.outcomes()) EXPECT_TRUE(outcome.edit.has_value()) << outcome.reason;
  std::string text = program.changedFiles().at(files[0].canonical);
  EXPECT_EQ(text,
            "#define FOUR 4\n"
            "__global__ void bad(int* x) {\n  x[0] = 3;\n}\n"
            "__global__ void good(int* x) {\n  x[1] = 5;\n}\n");
}

TEST_F(ReadBack, AKernelThatReadsBackDifferentlyKeepsItsBytes) {
  std::vector<GivenFile> files = {import("k.cu", twoKernels)};
  rename(files[0].import.kernels[0], "FOUR");
  RewriteProgram program(files, {});
  program.run();
  EXPECT_FALSE(program.outcomes()[0].edit.has_value());
  EXPECT_EQ(
      program.outcomes()[0].reason.find("internal: emitted text does not read back as the same kernel ("), 0u)
      << program.outcomes()[0].reason;
  EXPECT_EQ(program.changedFiles().at(files[0].canonical),
            "#define FOUR 4\n"
            "__global__ void bad(int* x) {x[0]=3;}\n"
            "__global__ void good(int* x) {\n  x[1] = 5;\n}\n");
}

TEST_F(ReadBack, AKernelThatDoesNotCompileKeepsItsBytes) {
  std::vector<GivenFile> files = {import("k.cu", twoKernels)};
  rename(files[0].import.kernels[0], "NOWHERE_DEFINED");
  RewriteProgram program(files, {});
  program.run();
  EXPECT_NE(program.outcomes()[0].reason.find("NOWHERE_DEFINED"), std::string::npos)
      << program.outcomes()[0].reason;
  EXPECT_TRUE(program.outcomes()[1].edit.has_value());
}

TEST_F(ReadBack, CanBeSwitchedOff) {
  std::vector<GivenFile> files = {import("k.cu", twoKernels)};
  rename(files[0].import.kernels[0], "NOWHERE_DEFINED");
  hone::cli::RewriteOptions options;
  options.recheck = false;
  RewriteProgram program(files, options);
  program.run();
  EXPECT_TRUE(program.outcomes()[0].edit.has_value());
}

TEST_F(ReadBack, AFileThatChangedMeanwhileKeepsItsBytes) {
  std::vector<GivenFile> files = {import("k.cu", twoKernels)};
  std::ofstream(files[0].path) << "// shorter\n";
  RewriteProgram program(files, {});
  program.run();
  for (const auto& outcome : program.outcomes()) {
    EXPECT_FALSE(outcome.edit.has_value());
    EXPECT_EQ(outcome.reason, "the file changed while hone read it");
  }
  EXPECT_TRUE(program.changedFiles().empty());
}

TEST(KernelNames, MatchWithAndWithoutScopeAndArguments) {
  EXPECT_TRUE(hone::cli::isNamed("f", "f", "ns::f", {"int", "4"}));
  EXPECT_TRUE(hone::cli::isNamed("ns::f", "f", "ns::f", {}));
  EXPECT_TRUE(hone::cli::isNamed("f<int,4>", "f", "ns::f", {"int", "4"}));
  EXPECT_TRUE(hone::cli::isNamed("ns::f< int, 4 >", "f", "ns::f", {"int", "4"}));
  EXPECT_FALSE(hone::cli::isNamed("f<int, 8>", "f", "ns::f", {"int", "4"}));
  EXPECT_FALSE(hone::cli::isNamed("s::f", "f", "ns::f", {}));
}

}  // namespace
