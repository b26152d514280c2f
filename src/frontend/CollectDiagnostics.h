// Keeps Clang's diagnostics as data, and says afterwards which functions they fall into.
#pragma once

#include "frontend/ParseSource.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace hone::frontend {

class DiagnosticCollector : public clang::DiagnosticConsumer {
 public:
  explicit DiagnosticCollector(clang::DiagnosticOptions& options);

  void BeginSourceFile(const clang::LangOptions& options, const clang::Preprocessor* preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

  /// Fills in `place` and `function` of every error, by the function bodies among `declarations`.
  void findPlaces(const std::vector<clang::Decl*>& declarations, const clang::SourceManager& sources,
                  bool isOpenCL);

  std::vector<Diagnostic> diagnostics;

 private:
  std::string rendered;
  llvm::raw_string_ostream stream;
  clang::TextDiagnosticPrinter printer;
  std::vector<clang::SourceLocation> locations;  ///< of each diagnostic, where it stands in a file
  bool keepsNotes = true;
  bool hasOpenAcc = false;
};

}  // namespace hone::frontend
