// Host memory that a kernel or an asynchronous copy wrote is closed until the program waits for it; code that
// looks too early faults, is reported with its line, and goes on.
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "Runtime.h"

namespace hone::cuda {

namespace {

uint64_t pageSize() { return uint64_t(sysconf(_SC_PAGESIZE)); }

}  // namespace

void Runtime::guard(sim::Buffer& b) {
  if (settings.fast || !b.isHost || b.base % pageSize()) return;  // only whole pages of our own
  const size_t bytes = (b.size + pageSize() - 1) / pageSize() * pageSize();
  mprotect(b.data, bytes, PROT_NONE);
  guarded.push_back({b.data, bytes, b.name});
}

void Runtime::guardWritten() {
  for (const auto& [base, b] : device.memory.buffers())
    if (b->written.exchange(false) && b->isHost) guard(*b);
}

void Runtime::synchronizeGuards() {
  for (const Guarded& g : guarded) mprotect(g.first, g.bytes, PROT_READ | PROT_WRITE);
  guarded.clear();
}

void Runtime::synchronize() { synchronizeGuards(); }

bool Runtime::hostFault(uint64_t address, uint64_t pc) {
  for (const Guarded& g : guarded) {
    const uint64_t first = reinterpret_cast<uint64_t>(g.first);
    if (address < first || address - first >= g.bytes) continue;
    sim::Finding f;
    f.kind = sim::FindingKind::HostAccess;
    f.party = placeOf(pc);
    f.array = g.what;
    f.message = fmt::format(
        "the host touches {} while {} may still be writing it: wait with cudaDeviceSynchronize() or its like "
        "first",
        g.what, lastKernel.empty() ? "a copy" : lastKernel);
    report(std::move(f));
    synchronizeGuards();
    return true;
  }
  constexpr uint64_t deviceBegin = uint64_t(1) << 40, deviceBytes = uint64_t(1) << 40;
  if (address < deviceBegin || address >= deviceBegin + deviceBytes) return false;
  sim::Finding f;
  f.kind = sim::FindingKind::HostAccess;
  f.party = placeOf(pc);
  if (sim::Buffer* b = device.memory.find(address)) {
    f.array = b->name;
    f.index = int64_t(address - b->base) / int64_t(b->elementBytes);
    f.message = fmt::format("host code uses a pointer to device memory ({}); {}", b->name,
                            isOpenAcc() ? "the host has its own copy: bring it up to date with update self"
                                        : "copy with cudaMemcpy, or allocate with cudaMallocManaged");
  } else {
    const std::string stray = device.memory.describeStray(address);
    f.message = "host code uses a pointer to device memory" + (stray.empty() ? "" : " " + stray);
  }
  report(std::move(f));
  std::fflush(stdout);
  finish(1);
  _exit(139);
}

namespace {

// Asks the symbolizer for the line of an address of the program itself.
sim::Party symbolize(const void* pc) {
  sim::Party p;
  Dl_info info;
  if (!dladdr(pc, &info) || !info.dli_fbase) return p;
  const uint64_t offset = reinterpret_cast<uint64_t>(pc) - reinterpret_cast<uint64_t>(info.dli_fbase);
  const char* tool = std::getenv("HONE_SYMBOLIZER");
  char self[4096];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return p;
  self[n] = 0;
  const std::string real = fmt::format("{} --no-inlines --functions=none --obj='{}' {:#x} 2>/dev/null",
                                       tool ? tool : "llvm-symbolizer-22", self, offset);
  FILE* out = popen(real.c_str(), "r");
  if (!out) return p;
  char line[4096];
  if (std::fgets(line, sizeof line, out)) {
    std::string text(line);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    const size_t second = text.rfind(':'),
                 first = second == std::string::npos ? std::string::npos : text.rfind(':', second - 1);
    if (first != std::string::npos && text[0] != '?') {
      p.file = text.substr(0, first);
      p.line = unsigned(std::strtoul(text.c_str() + first + 1, nullptr, 10));
      p.column = unsigned(std::strtoul(text.c_str() + second + 1, nullptr, 10));
    }
  }
  pclose(out);
  return p;
}

}  // namespace

// Where an instruction of the program stands, or else what called the code it is in (a library's memcpy).
sim::Party placeOf(uint64_t pc) {
  sim::Party p = symbolize(reinterpret_cast<const void*>(pc));
  return p.line ? p : callerPlace();
}

// The innermost frame in code that is not the runtime's: our own sources are built without line tables in the
// program.
sim::Party callerPlace() {
  void* frames[32];
  const int n = backtrace(frames, 32);
  for (int k = 1; k < n; ++k) {
    // A return address points after the call.
    sim::Party p = symbolize(static_cast<const char*>(frames[k]) - 1);
    if (p.line && p.file.find("hone_cuda") == std::string::npos) return p;
  }
  return {};
}

}  // namespace hone::cuda

// For runtimes above this one: the place in the program's own code; false where it is not known.
extern "C" bool hone_caller_place(char* file, size_t bytes, unsigned* line) {
  const hone::sim::Party p = hone::cuda::callerPlace();
  if (!p.line) return false;
  std::snprintf(file, bytes, "%s", p.file.c_str());
  *line = unsigned(p.line);
  return true;
}
