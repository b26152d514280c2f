// Times a square matrix product on the embedded device, parsing and compiling left out.
//   time_device FILE.cl KERNEL N REPEATS [fast]     prints one line: median seconds, warp instructions,
//   findings
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "frontend/Import.h"
#include "sim/execute/Run.h"

int main(int argc, char** argv) {
  using namespace hone;
  if (argc < 5) return 2;
  frontend::SourceRequest request;
  request.path = argv[1];
  const frontend::ImportResult imported = frontend::importFile(request);
  const uint32_t n = uint32_t(std::atoi(argv[3]));
  const int repeats = std::atoi(argv[4]);
  for (const frontend::ImportedKernel& k : imported.kernels) {
    if (!k.kernel || k.name != argv[2]) continue;
    const sim::Program program = sim::compile(*k.kernel);
    if (argc > 5 && !std::strcmp(argv[5], "dump")) {
      std::fputs(sim::dump(program).c_str(), stdout);
      return 0;
    }
    sim::Device device;
    sim::LaunchConfig launch;
    std::mt19937 random(1);
    for (unsigned p = 0; p < 3; ++p) {
      const uint64_t at = device.memory.allocate(uint64_t(n) * n * 4, program.parameters[p].name, 4, p < 2);
      auto* f = reinterpret_cast<float*>(device.memory.host(at));
      for (uint64_t i = 0; p < 2 && i < uint64_t(n) * n; ++i) f[i] = float(random() % 1000) / 1000.0f;
      sim::setArgument(program, launch, p, &at, 8);
    }
    const int size = int(n);
    sim::setArgument(program, launch, 3, &size, 4);
    launch.block = {16, 16, 1};
    launch.grid = {n / 16, n / 16, 1};
    sim::RunOptions options;
    if (argc > 5 && !std::strcmp(argv[5], "fast")) options.checkRaces = options.checkUninitialized = false;
    std::vector<double> seconds;
    sim::RunResult result;
    for (int r = 0; r < repeats; ++r) {
      const auto start = std::chrono::steady_clock::now();
      result = device.run(program, launch, options);
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(seconds.begin(), seconds.end());
    for (const sim::Finding& f : result.findings) std::fputs((sim::format(f) + "\n").c_str(), stderr);
    std::printf("%.6f seconds, %llu warp instructions, %zu findings\n", seconds[seconds.size() / 2],
                (unsigned long long)result.warpInstructions, result.findings.size());
    return result.completed ? 0 : 1;
  }
  std::fprintf(stderr, "no kernel %s in %s\n%s\n", argv[2], argv[1], imported.failure.c_str());
  return 2;
}
