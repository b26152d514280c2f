// inspect_facts FILE [--block X,Y,Z] [--kernel NAME] [--summary] [-- compiler flags]
// Prints the memory model of each kernel: loops, and accesses with address, guard and exactness. --summary: counts only.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "affine/KernelModel.h"
#include "frontend/Import.h"
#include "ir/Error.h"

namespace {

using namespace hone;

const char* word(affine::Exactness e) {
  return e == affine::Exactness::Exact ? "exact" : e == affine::Exactness::Over ? "over" : "unknown";
}

void print(const affine::KernelModel& m) {
  for (const affine::Loop& loop : m.loops) {
    std::printf("  %s %s%s: first %s step %s%s runs %s", loop.handle.c_str(), word(loop.exactness),
                loop.inexact.empty() ? "" : (" (" + loop.inexact + ")").c_str(),
                m.atoms->str(loop.first).c_str(), m.atoms->str(loop.step).c_str(),
                loop.byDistance ? " by distance" : "", m.atoms->str(loop.runs).c_str());
    for (int64_t v : loop.values) std::printf(" %lld", static_cast<long long>(v));
    std::printf("\n");
  }
  for (const affine::Access& a : m.accesses) {
    std::printf("  %s line %u %s%s %u bytes at %s if %s\n", a.handle.c_str(), a.loc.line, word(a.exactness),
                a.reason.empty() ? "" : (" (" + a.reason + ")").c_str(), a.bytes,
                m.atoms->str(a.address).c_str(), m.atoms->str(a.guard).c_str());
    for (unsigned r : a.requirements) {
      const affine::Requirement& need = m.requirements[r];
      std::printf("      needs %lld <= %s <= %lld: %s\n", static_cast<long long>(need.low),
                  m.atoms->str(need.value).c_str(), static_cast<long long>(need.high), need.why.c_str());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::array<unsigned, 3> block{256, 1, 1};
  std::string file, only;
  bool summary = false;
  frontend::SourceRequest request;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--block") && i + 1 < argc)
      std::sscanf(argv[++i], "%u,%u,%u", &block[0], &block[1], &block[2]);
    else if (!std::strcmp(argv[i], "--kernel") && i + 1 < argc)
      only = argv[++i];
    else if (!std::strcmp(argv[i], "--summary"))
      summary = true;
    else if (!std::strcmp(argv[i], "--")) {
      for (++i; i < argc; ++i) request.flags.push_back(argv[i]);
    } else
      file = argv[i];
  }
  request.path = file;
  try {
    frontend::ImportResult import = frontend::importFile(request);
    if (!import.parsed) {
      std::fprintf(stderr, "%s\n", import.failure.c_str());
      return 1;
    }
    for (const auto& kernel : import.kernels) {
      if (!kernel.kernel || (!only.empty() && kernel.name != only)) continue;
      const auto start = std::chrono::steady_clock::now();
      const affine::KernelModel m = affine::buildModel(kernel.kernel, block);
      const double ms =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      unsigned global = 0, resolved = 0, exact = 0;
      for (const affine::Access& a : m.accesses) {
        if (a.mode == ir::AccessMode::Address) continue;
        if (!m.isGlobal(a)) continue;
        ++global;
        resolved += a.isResolved();
        exact += a.exactness == affine::Exactness::Exact;
        if (summary && !a.isResolved()) std::printf("REASON %s\n", a.reason.c_str());
      }
      std::printf("KERNEL %s:%s global %u resolved %u exact %u loops %zu ms %.2f\n", file.c_str(),
                  kernel.name.c_str(), global, resolved, exact, m.loops.size(), ms);
      if (!summary) print(m);
    }
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
