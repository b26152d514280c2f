#include "frontend/ContentHash.h"

#include "llvm/Support/MD5.h"

namespace hone::frontend {

std::string contentHash(std::string_view text) {
  llvm::MD5 hash;
  hash.update(llvm::StringRef(text.data(), text.size()));
  llvm::MD5::MD5Result result;
  hash.final(result);
  return result.digest().str().str();
}

}  // namespace hone::frontend
