#include "frontend/AccDiagnostics.h"

namespace hone::frontend {

namespace {

// Reductions that Clang does not take; empty: what is said is nothing of the kind.
const char* unreadReduction(llvm::StringRef text) {
  if (!text.consume_front("invalid type '")) return "";
  const auto [type, rest] = text.split('\'');
  if (!rest.contains("used in OpenACC 'reduction'")) return "";
  if (type.starts_with("_Complex ")) return "a reduction of complex numbers";
  // Elements of arrays, members of structs.
  if (type.ends_with("]") && !type.contains('*')) return "a reduction of arrays in arrays or structs";
  return "";
}

bool namesCacheInLoop(llvm::StringRef text) {
  return text.starts_with("OpenACC variable in 'cache' directive") && text.contains("has no effect");
}

}  // namespace

Severity accSeverity(Severity severity, llvm::StringRef text, clang::SourceLocation at,
                     const clang::SourceManager& sources) {
  if (namesCacheInLoop(text)) return Severity::Remark;
  if (severity < Severity::Error) return severity;
  if (*unreadReduction(text)) return Severity::Warning;
  if (text.starts_with("OpenACC routine name") && text.contains("names a set of overloads"))
    return Severity::Warning;
  if (text.starts_with("invalid reduction operator") && at.isValid()) {
    bool isInvalid = false;
    const char* written = sources.getCharacterData(sources.getSpellingLoc(at), &isInvalid);
    if (!isInvalid && *written == '-') return Severity::Remark;  // AccReader says so
  }
  return severity;
}

const char* whyUnread(const Diagnostic& diagnostic) { return unreadReduction(diagnostic.text); }

}  // namespace hone::frontend
