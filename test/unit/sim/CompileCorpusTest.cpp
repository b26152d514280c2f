// Every kernel of the corpus compiles to byte code, which survives being written and read.
#include <filesystem>

#include "sim/RunKernel.h"

namespace hone::sim::testing {
namespace {

TEST(CompileCorpus, everyKernel) {
  namespace fs = std::filesystem;
  unsigned compiled = 0;
  for (const char* folder : {"cuda", "opencl"})
    for (const auto& entry : fs::directory_iterator(fs::path(HONE_TEST_DIR) / "corpus" / folder)) {
      if (!entry.is_regular_file()) continue;
      frontend::SourceRequest request;
      request.path = entry.path();
      request.headers = frontend::CudaHeaders::BuiltIn;
      request.useCache = false;
      request.flags = {"-I", (entry.path().parent_path() / "include").string()};
      const frontend::ImportResult result = frontend::importFile(request);
      for (const frontend::ImportedKernel& k : result.kernels) {
        if (!k.kernel) continue;
        try {
          const Program p = compile(*k.kernel);
          const std::vector<uint8_t> bytes = write(p);
          EXPECT_EQ(write(read(bytes)), bytes);
          ++compiled;
        } catch (const Error& e) {
          ADD_FAILURE() << entry.path().filename() << " " << k.name << ": " << e.what();
        }
      }
    }
  EXPECT_GT(compiled, 180u);
}

}  // namespace
}  // namespace hone::sim::testing
