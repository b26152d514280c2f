// hone nvrtc: compiles for a running program (runtime/cuda/nvrtc): a request on stdin, the answer on stdout.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>

#include "cli/commands/Command.h"
#include "cli/programs/RunTimeCompile.h"
#include "ir/Error.h"

namespace hone::cli {

namespace {

std::vector<uint8_t> readAllOfStdin() {
  std::vector<uint8_t> bytes;
  size_t size = 0;
  for (;;) {
    bytes.resize(size + 65536);
    const ssize_t got = read(0, bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += size_t(got);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

int runNvrtc(const Arguments&) {
  if (isatty(0)) throw Error("programs that hone built start this one when they call NVRTC; see docs/run.md");
  const std::vector<uint8_t> answer = sim::write(compileAtRunTime(sim::readCompileRequest(readAllOfStdin())));
  for (size_t sent = 0; sent < answer.size();) {
    const ssize_t put = ::write(1, answer.data() + sent, answer.size() - sent);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return exitCode;  // the program is gone
    sent += size_t(put);
  }
  return exitDone;
}

}  // namespace hone::cli
