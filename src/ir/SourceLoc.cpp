#include "ir/SourceLoc.h"

#include <mutex>
#include <unordered_set>

namespace hone::ir {

std::string SourceLoc::str() const { return file ? *file + ":" + std::to_string(line) : std::string(); }

const std::string* internFile(std::string_view path) {
  static std::mutex mutex;
  static auto* files =
      new std::unordered_set<std::string>();  // never freed: locations may outlive static destructors
  std::lock_guard<std::mutex> lock(mutex);
  return &*files->emplace(path).first;
}

}  // namespace hone::ir
