#include "frontend/AccFirstPrivate.h"

#include <cctype>
#include <string_view>

namespace hone::frontend {

namespace {

constexpr std::string_view firstPrivate = "firstprivate";
constexpr std::string_view standIn = "private/*1*/";
static_assert(firstPrivate.size() == standIn.size());

bool isPartOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

std::string withoutFirstPrivate(const std::string& text) {
  std::string out = text;
  bool hasAny = false;
  for (size_t at = out.find(firstPrivate); at != std::string::npos;
       at = out.find(firstPrivate, at + firstPrivate.size())) {
    const size_t behind = at + firstPrivate.size();
    if ((at > 0 && isPartOfName(out[at - 1])) || (behind < out.size() && isPartOfName(out[behind]))) continue;
    out.replace(at, firstPrivate.size(), standIn);
    hasAny = true;
  }
  return hasAny ? out : "";
}

bool wasFirstPrivate(const clang::OpenACCClause& clause, const clang::SourceManager& sources) {
  if (!llvm::isa<clang::OpenACCPrivateClause>(&clause)) return false;
  const auto [file, offset] = sources.getDecomposedExpansionLoc(clause.getBeginLoc());
  return sources.getBufferData(file).substr(offset).starts_with(standIn);
}

}  // namespace hone::frontend
