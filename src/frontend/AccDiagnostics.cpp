#include "frontend/AccDiagnostics.h"

namespace hone::frontend {

namespace {

bool namesComplexReduction(llvm::StringRef text) {
  return text.starts_with("invalid type '_Complex ") && text.contains("used in OpenACC 'reduction'");
}

bool namesCacheInLoop(llvm::StringRef text) {
  return text.starts_with("OpenACC variable in 'cache' directive") && text.contains("has no effect");
}

}  // namespace

Severity accSeverity(Severity severity, llvm::StringRef text, clang::SourceLocation at,
                     const clang::SourceManager& sources) {
  if (namesCacheInLoop(text)) return Severity::Remark;
  if (severity < Severity::Error) return severity;
  if (namesComplexReduction(text)) return Severity::Warning;
  if (text.starts_with("OpenACC routine name") && text.contains("names a set of overloads"))
    return Severity::Warning;
  if (text.starts_with("invalid reduction operator") && at.isValid()) {
    bool isInvalid = false;
    const char* written = sources.getCharacterData(sources.getSpellingLoc(at), &isInvalid);
    if (!isInvalid && *written == '-') return Severity::Remark;  // AccReader says so
  }
  return severity;
}

bool isComplexReduction(const Diagnostic& diagnostic) { return namesComplexReduction(diagnostic.text); }

}  // namespace hone::frontend
