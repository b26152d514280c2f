// Messages that end a program: the construct's place, the variable, what is wrong with it.
#include <cstdio>
#include <cstdlib>

#include "Device.h"

namespace hone::acc {

std::recursive_mutex& mutex() {
  static auto* const only = new std::recursive_mutex;  // threads and destructors may call us late
  return *only;
}

void fail(const char* site, const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", site, message.c_str());
  std::exit(1);
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
