// One run of Clang's parser with given driver arguments.
#pragma once

#include "frontend/CollectDiagnostics.h"
#include "frontend/ParseSource.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <string>
#include <vector>

namespace hone::frontend {

struct ParsedSource::Impl {
  ~Impl();

  std::string failure;
  std::string path;
  std::string dialect;
  Language language = Language::Cuda;
  bool usesToolkit = false;
  bool usesCache = false;
  bool fastMath = false;
  std::vector<std::string> notes;
  std::vector<MissingHeader> missing;
  PreprocessorRecord record;
  std::vector<clang::Decl*> declarations;
  llvm::DenseMap<const clang::FileEntry*, clang::FileID> fileIds;  // made when first asked for

  // Destroyed in the reverse order: the action ends its file while the compiler still stands.
  std::unique_ptr<clang::DiagnosticOptions> diagnosticOptions;
  std::unique_ptr<DiagnosticCollector> collector;
  std::unique_ptr<clang::CompilerInstance> compiler;
  std::unique_ptr<clang::FrontendAction> action;
};

/// What to hand to Clang.
struct ClangJob {
  std::string path;
  std::vector<std::string> arguments;  ///< of the driver, without the program and the input
  std::string prefixHeader;            ///< a precompiled header to start from; empty for none
  const SourceRequest* request = nullptr;
};

/// Runs the parser; `failure` of the result is set when there is no AST.
std::unique_ptr<ParsedSource::Impl> runClang(const ClangJob& job);

/// Writes the precompiled header of `job` to `output`; returns false when Clang reports any error.
bool writePrecompiledHeader(const ClangJob& job, const std::string& output);

}  // namespace hone::frontend
