#include "frontend/ParseSource.h"
#include "frontend/RunGuarded.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

namespace hone::frontend {
namespace {

namespace fs = std::filesystem;

/// Parses text as if it were a file; without the cache, so that tests leave nothing behind.
SourceRequest request(const std::string& text, const std::string& name = "/hone-test/x.cu") {
  SourceRequest out;
  out.path = name;
  out.contents = text;
  out.headers = CudaHeaders::BuiltIn;
  out.useCache = false;
  return out;
}

ParsedSource parseText(const std::string& text, const std::string& name = "/hone-test/x.cu") {
  return parse(request(text, name));
}

const Diagnostic* firstError(const ParsedSource& parsed) {
  for (const Diagnostic& diagnostic : parsed.diagnostics())
    if (diagnostic.severity >= Severity::Error) return &diagnostic;
  return nullptr;
}

TEST(Parse, kernelWithLaunch) {
  ParsedSource parsed = parseText(R"(
__global__ void scale(float* a, float k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = sinf(a[i]) * k;
}
void run(float* a, int n) { scale<<<(n + 255) / 256, 256>>>(a, 2.0f, n); }
)");
  ASSERT_TRUE(parsed.hasAst()) << parsed.failure();
  EXPECT_FALSE(parsed.hasErrors()) << parsed.renderedErrors();
  EXPECT_EQ(parsed.declarations().size(), 2u);
  EXPECT_EQ(parsed.language(), Language::Cuda);
  EXPECT_EQ(parsed.dialect(), "sm_90");
  EXPECT_FALSE(parsed.usesToolkitHeaders());
}

TEST(Parse, flagsReachThePreprocessor) {
  SourceRequest wanted =
      request("__global__ void k(float* a) { a[TILE] = __CUDA_ARCH__ == 800 ? 1.0f : nothing; }");
  wanted.flags = {"-DTILE=16", "-Dnothing=0.0f", "-gencode", "arch=compute_80,code=sm_80", "--bogus"};
  ParsedSource parsed = parse(wanted);
  EXPECT_FALSE(parsed.hasErrors()) << parsed.renderedErrors();
  EXPECT_EQ(parsed.dialect(), "sm_80");
  ASSERT_EQ(parsed.notes().size(), 1u);
  EXPECT_EQ(parsed.notes()[0], "skipped compiler flag --bogus");
}

TEST(Parse, anErrorInHostCodeHarmsNoKernel) {
  ParsedSource parsed = parseText(R"(
__global__ void k(int* a) { a[threadIdx.x] = 1; }
int main() { return no_such_function(3); }
)");
  ASSERT_TRUE(parsed.hasAst());
  EXPECT_TRUE(parsed.hasErrors());
  EXPECT_FALSE(parsed.hasErrorsOutsideHostCode());
  ASSERT_TRUE(firstError(parsed));
  EXPECT_EQ(firstError(parsed)->place, ErrorPlace::HostFunction);
  EXPECT_EQ(firstError(parsed)->function, "main");
  EXPECT_EQ(firstError(parsed)->line, 3u);
  EXPECT_EQ(parsed.declarations().size(), 2u);
}

TEST(Parse, anErrorInAKernelIsItsOwn) {
  ParsedSource parsed = parseText("namespace n { __global__ void k(int* a) { a[0] = missing; } }\n");
  ASSERT_TRUE(firstError(parsed));
  EXPECT_EQ(firstError(parsed)->place, ErrorPlace::DeviceFunction);
  EXPECT_EQ(firstError(parsed)->function, "n::k");
  EXPECT_TRUE(parsed.hasErrorsOutsideHostCode());
  EXPECT_NE(parsed.renderedErrors().find("x.cu:1:"), std::string::npos);
  EXPECT_NE(parsed.renderedErrors().find("^"), std::string::npos);
}

TEST(Parse, aMissingBraceIsNotTakenForHostCode) {
  ParsedSource parsed = parseText("void host() { if (1) {\n}\n__global__ void k(int* a) { a[0] = 1; }\n");
  EXPECT_TRUE(parsed.hasErrorsOutsideHostCode());
}

TEST(Parse, templateErrorsBelongToTheInstantiatingFunction) {
  ParsedSource parsed = parseText(R"(
template <class T> __device__ T twice(T x) { return x.none(); }
__global__ void k(float* a) { a[0] = twice(a[1]); }
)");
  ASSERT_TRUE(firstError(parsed));
  EXPECT_EQ(firstError(parsed)->place, ErrorPlace::DeviceFunction);
}

TEST(Parse, problemsWithTheFileItself) {
  SourceRequest wanted;
  wanted.path = "/hone-test/no/such/file.cu";
  EXPECT_EQ(parse(wanted).failure(), "/hone-test/no/such/file.cu: no such file");
  wanted.path = testing::TempDir();
  EXPECT_NE(parse(wanted).failure().find("is a directory"), std::string::npos);
  EXPECT_EQ(parseText("").failure(), "/hone-test/x.cu: is empty");
  EXPECT_FALSE(parseText("").hasAst());
  EXPECT_NE(parseText(std::string("int a;\0b", 8)).failure().find("zero byte at offset 6"),
            std::string::npos);
  EXPECT_NE(parseText("\xff\xfei\n").failure().find("UTF-16"), std::string::npos);
}

TEST(Parse, aMissingResourceDirectoryIsNamed) {
  const char* set = ::getenv("HONE_RESOURCE_DIR");
  std::string before = set ? set : "";
  ::setenv("HONE_RESOURCE_DIR", "/hone-test/resources", 1);
  ParsedSource parsed = parseText("__global__ void k() {}\n");
  if (set)
    ::setenv("HONE_RESOURCE_DIR", before.c_str(), 1);
  else
    ::unsetenv("HONE_RESOURCE_DIR");
  EXPECT_FALSE(parsed.hasAst());
  EXPECT_NE(parsed.failure().find("/hone-test/resources is missing; set HONE_RESOURCE_DIR"),
            std::string::npos);
}

TEST(Parse, garbageGivesErrorsAndNoCrash) {
  std::string text;
  unsigned state = 12345;
  for (int i = 0; i < 20000; ++i) {
    state = state * 1664525u + 1013904223u;
    text += static_cast<char>(1 + (state >> 24) % 255);
  }
  ParsedSource parsed = parseText(text);
  EXPECT_TRUE(parsed.hasErrorsOutsideHostCode());
}

TEST(Parse, deepNestingDoesNotOverflow) {
  std::string text =
      "__global__ void k(int* a) { a[0] = " + std::string(20000, '(') + "1" + std::string(20000, ')') + "; }";
  ParsedSource parsed = parseText(text);
  EXPECT_TRUE(parsed.hasErrors());
}

TEST(Parse, aHundredThousandLines) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "// a line\n";
  text += "__global__ void k(int* a) { a[0] = 1; }\n";
  ParsedSource parsed = parseText(text);
  EXPECT_FALSE(parsed.hasErrors());
  EXPECT_EQ(parsed.declarations().size(), 1u);
}

TEST(Parse, aToolkitThatIsNotThere) {
  SourceRequest wanted = request("__global__ void k() {}\n");
  wanted.headers = CudaHeaders::Auto;
  wanted.cudaPath = "/hone-test/cuda";
  EXPECT_NE(parse(wanted).failure().find("no CUDA toolkit at /hone-test/cuda"), std::string::npos);
}

// Headers of libraries bring the toolkit's own, through Clang's, which leave these out.
TEST(Parse, loadsAndStoresForCachesWithAToolkit) {
  SourceRequest wanted = request(R"(
#include <cusparse.h>
__global__ void k(int4* a, float* b, float2* c, const long long* d) {
  __stcg(a, __ldca(a + 1));
  __stcs(b, 1);
  __stwb(b + 1, __ldlu(b));
  __stcs(c, c[1]);
  __stcg(a + 2, make_int4(__ldca(d), 0, 0, 0));
}
)");
  wanted.headers = CudaHeaders::Auto;
  const ParsedSource parsed = parse(wanted);
  if (!parsed.missingHeaders().empty()) GTEST_SKIP() << "no CUDA toolkit with cusparse.h";
  EXPECT_TRUE(parsed.usesToolkitHeaders());
  EXPECT_EQ(parsed.renderedErrors(), "");
}

TEST(Parse, toolkitsCanBeDeclined) {
  SourceRequest wanted = request("#include <cusparse.h>\n__global__ void k() {}\n");
  wanted.headers = CudaHeaders::Auto;
  wanted.cudaPath = "none";
  EXPECT_EQ(parse(wanted).missingHeaders().size(), 1u);
  wanted.cudaPath.clear();
  wanted.flags = {"--cuda-path=none"};
  EXPECT_EQ(parse(wanted).missingHeaders().size(), 1u);
}

TEST(Parse, aMissingHeaderIsNamed) {
  ParsedSource parsed = parseText("#include <cusparse.h>\n#include \"mine.h\"\n__global__ void k() {}\n");
  ASSERT_TRUE(parsed.hasAst());
  ASSERT_EQ(parsed.missingHeaders().size(), 2u);
  EXPECT_EQ(parsed.missingHeaders()[0].name, "cusparse.h");
  EXPECT_EQ(parsed.missingHeaders()[0].line, 1u);
  EXPECT_EQ(parsed.missingHeaders()[0].message,
            "needs <cusparse.h>, which is part of the CUDA toolkit; none was found; pass --cuda-path");
  EXPECT_NE(parsed.missingHeaders()[1].message.find("-I"), std::string::npos);
  EXPECT_EQ(parsed.declarations().size(), 1u);
  EXPECT_NE(parsed.renderedErrors().find("x.cu:1: note: needs <cusparse.h>"), std::string::npos)
      << parsed.renderedErrors();
}

TEST(Parse, messagesUseTheNameThatWasGiven) {
  SourceRequest wanted = request("__global__ void k(int* a) { a[0] = missing; }\n", "some/where/x.cu");
  ParsedSource parsed = parse(wanted);
  EXPECT_EQ(parsed.renderedErrors().compare(0, 17, "some/where/x.cu:1"), 0) << parsed.renderedErrors();
  EXPECT_EQ(firstError(parsed)->file, "some/where/x.cu");
  EXPECT_TRUE(fs::path(parsed.path()).is_absolute());
}

TEST(Parse, oldStandardsAreRaised) {
  for (const char* standard : {"-std=c++98", "--std=c++11", "-std=c++14", "-std=gnu++20", "-std=c99"}) {
    SourceRequest wanted = request("__global__ void k(int* a) { register int i = threadIdx.x; a[i] = 0; }\n");
    wanted.flags = {standard};
    EXPECT_FALSE(parse(wanted).hasErrors()) << standard << parse(wanted).renderedErrors();
  }
}

TEST(Parse, headersThatNvccIncludesUnasked) {
  ParsedSource parsed = parseText(
      "template <class T> __device__ T pass(T&& x) { return std::forward<T>(x); }\n"
      "__global__ void k(int* a) { a[0] = pass(3); }\n");
  EXPECT_FALSE(parsed.hasErrors()) << parsed.renderedErrors();
}

TEST(Parse, theHostPassSeesHostCode) {
  SourceRequest wanted = request(
      "#ifndef __CUDA_ARCH__\nvoid host() {}\n#endif\n__global__ void k(int* a) { a[threadIdx.x] = 0; }\n");
  EXPECT_EQ(parse(wanted).declarations().size(), 1u);
  wanted.pass = CudaPass::Host;
  ParsedSource parsed = parse(wanted);
  EXPECT_FALSE(parsed.hasErrors()) << parsed.renderedErrors();
  EXPECT_EQ(parsed.declarations().size(), 2u);
}

TEST(Parse, overlaysStandInForFiles) {
  SourceRequest wanted = request("#include \"size.h\"\n__global__ void k(int* a) { a[0] = SIZE; }\n");
  wanted.overlay["/hone-test/size.h"] = "#define SIZE 8\n";
  ParsedSource parsed = parse(wanted);
  EXPECT_FALSE(parsed.hasErrors()) << parsed.renderedErrors();
  ASSERT_EQ(parsed.record().files.size(), 2u);
}

TEST(Parse, openclPicksTheVersionThatFits) {
  ParsedSource plain = parseText("__kernel void k(__global double* a) { a[get_global_id(0)] = sin(a[0]); }\n",
                                 "/hone-test/x.cl");
  EXPECT_FALSE(plain.hasErrors()) << plain.renderedErrors();
  EXPECT_EQ(plain.language(), Language::OpenCL);
  EXPECT_EQ(plain.dialect(), "CL1.2");
  ParsedSource generic = parseText(
      "float first(float* p) { return p[0]; }\n"
      "__kernel void k(__global float* a) { a[1] = first(a); }\n",
      "/hone-test/x.cl");
  EXPECT_FALSE(generic.hasErrors()) << generic.renderedErrors();
  EXPECT_EQ(generic.dialect(), "CL3.0");
  SourceRequest told = request("__kernel void k(__global float* a) { a[0] = N; }\n", "/hone-test/x.cl");
  told.flags = {"-cl-std=CL2.0", "-D", "N=4"};
  EXPECT_EQ(parse(told).dialect(), "CL2.0");
}

TEST(Parse, languageByNameAndText) {
  EXPECT_EQ(detectLanguage("a.cu", ""), Language::Cuda);
  EXPECT_EQ(detectLanguage("a.CL", ""), Language::OpenCL);
  EXPECT_EQ(detectLanguage("a.h", "__global__ void k();"), Language::Cuda);
  EXPECT_EQ(detectLanguage("a.h", "__kernel void k(__global int* a);"), Language::OpenCL);
  EXPECT_EQ(detectLanguage("a.c", "kernel void k(global int* a) { a[get_global_id(0)] = 0; }"),
            Language::OpenCL);
}

TEST(Parse, recordOfThePreprocessor) {
  std::string text =
      "#define N 16\n"
      "#define AT(i) a[(i) * N]\n"
      "#if N > 8\n"
      "__global__ void k(int* a) { AT(threadIdx.x) = N; }\n"
      "#else\n"
      "__global__ void other() {}\n"
      "#endif\n";
  ParsedSource parsed = parseText(text);
  const PreprocessorRecord& record = parsed.record();
  ASSERT_EQ(record.files.size(), 1u);
  ASSERT_EQ(record.definitions.size(), 2u);
  EXPECT_EQ(record.definitions[0].name, "N");
  EXPECT_EQ(record.definitions[0].body, "16");
  EXPECT_TRUE(record.definitions[1].isFunctionLike);
  EXPECT_EQ(record.definitions[1].body, "a[(i) * N]");

  auto written = [&](ByteRange range) { return text.substr(range.begin, range.end - range.begin); };
  std::vector<std::string> outer;
  for (const MacroExpansion& expansion : record.expansions) {
    if (!expansion.isArgumentOrBody && expansion.definition >= 0) outer.push_back(written(expansion.range));
    if (expansion.name == "N") {
      EXPECT_EQ(expansion.definition, 0);
    }
  }
  EXPECT_EQ(outer, (std::vector<std::string>{"N", "AT(threadIdx.x)", "N"}));
  ASSERT_EQ(record.conditionals.size(), 3u);
  EXPECT_EQ(written(record.conditionals[0].range), "#if N > 8");
  EXPECT_EQ(record.conditionals[2].kind, Conditional::Kind::Endif);
  EXPECT_EQ(record.conditionals[2].opener, 0u);
  ASSERT_EQ(record.skipped.size(), 1u);
  EXPECT_NE(written(record.skipped[0]).find("other"), std::string::npos);
}

TEST(Parse, byteRangesSurviveCarriageReturns) {
  std::string text = "#define N 4\r\n#ifdef N\r\n__global__ void k(int* a) { a[0] = N; }\r\n#endif\r\n";
  ParsedSource parsed = parseText(text);
  ASSERT_EQ(parsed.record().conditionals.size(), 2u);
  ByteRange range = parsed.record().conditionals[0].range;
  EXPECT_EQ(text.substr(range.begin, 8), "#ifdef N");
  ByteRange use = parsed.record().expansions.back().range;
  EXPECT_EQ(text.substr(use.begin, use.end - use.begin), "N");
}

TEST(Parse, severalAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> good(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&good, t] {
      for (int i = 0; i < 3; ++i)
        good[static_cast<std::size_t>(t)] +=
            !parseText("__global__ void k(float* a) { a[" + std::to_string(i) + "] = 1; }").hasErrors();
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, (std::vector<int>{3, 3, 3, 3}));
}

TEST(RunGuarded, aCrashBecomesAMessage) {
  EXPECT_FALSE(runGuarded([] {}));
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
  EXPECT_TRUE(runGuarded([] { __builtin_trap(); }));
#endif
}

}  // namespace
}  // namespace hone::frontend
