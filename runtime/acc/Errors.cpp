// Messages that end a program: the construct's place, the variable, what is wrong with it.
#include <cstdio>
#include <cstdlib>

#include <cstring>

#include "Device.h"
#include "Embedded.h"

namespace hone::acc {

std::recursive_mutex& mutex() {
  static auto* const only = new std::recursive_mutex;  // threads and destructors may call us late
  return *only;
}

void fail(const char* site, const std::string& message) {
  std::fflush(stdout);
  char file[4096];
  unsigned line = 0;
  // Sites of constructs begin with their place; functions of the API know theirs by name alone.
  if (std::strncmp(site, "acc_", 4) == 0 && hone_caller_place && hone_caller_place(file, sizeof file, &line))
    std::fprintf(stderr, "%s:%u: ", file, line);
  std::fprintf(stderr, "%s: %s\n", site, message.c_str());
  std::exit(1);
}

void note(const char* site, const std::string& message) {
  static auto* const told = new std::set<std::string>;  // as the mutex that the caller holds
  const char* const quiet = std::getenv("HONE_RUN_QUIET");
  const std::string text = std::string(site) + ": note: " + message;
  if ((quiet && std::strcmp(quiet, "1") == 0) || !told->insert(text).second) return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", text.c_str());
}

void check(const char* site, cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  fail(site, std::string(what) + ": the device says: " + cudaGetErrorString(status));
}

std::string bytesOf(size_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

std::string quoted(const char* name, const void* host, size_t bytes) {
  if (name && *name) return std::string("`") + name + "`";
  char text[64];
  std::snprintf(text, sizeof text, "memory of %s at %p", bytesOf(bytes).c_str(), host);
  return text;
}

}  // namespace hone::acc
