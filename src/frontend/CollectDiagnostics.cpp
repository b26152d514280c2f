#include "frontend/CollectDiagnostics.h"

#include "frontend/AccDiagnostics.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"

namespace hone::frontend {
namespace {

// A file of garbage must not fill the memory with its errors.
constexpr std::size_t maxDiagnostics = 5000;
constexpr std::size_t maxRendered = 500;

Severity severityOf(clang::DiagnosticsEngine::Level level) {
  switch (level) {
    case clang::DiagnosticsEngine::Ignored:
    case clang::DiagnosticsEngine::Note: return Severity::Note;
    case clang::DiagnosticsEngine::Remark: return Severity::Remark;
    case clang::DiagnosticsEngine::Warning: return Severity::Warning;
    case clang::DiagnosticsEngine::Error: return Severity::Error;
    case clang::DiagnosticsEngine::Fatal: return Severity::Fatal;
  }
  return Severity::Error;
}

struct FunctionExtent {
  clang::FileID file;
  unsigned begin = 0;
  unsigned end = 0;
  bool isDevice = false;
  const clang::FunctionDecl* function = nullptr;
};

/// Where the functions of user files begin and end.
class ExtentFinder : public clang::DynamicRecursiveASTVisitor {
 public:
  ExtentFinder(const clang::SourceManager& manager, bool opencl) : sources(manager), isOpenCL(opencl) {}

  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (!function->doesThisDeclarationHaveABody() && !function->isInvalidDecl()) return true;
    auto [file, begin] = sources.getDecomposedExpansionLoc(function->getBeginLoc());
    auto [endFile, end] = sources.getDecomposedExpansionLoc(function->getEndLoc());
    if (file != endFile) return true;
    bool isDevice =
        isOpenCL || function->hasAttr<clang::CUDAGlobalAttr>() || function->hasAttr<clang::CUDADeviceAttr>();
    extents.push_back({file, begin, end, isDevice, function});
    return true;
  }

  /// The innermost function around a place.
  const FunctionExtent* find(clang::SourceLocation at) const {
    auto [file, offset] = sources.getDecomposedLoc(at);
    const FunctionExtent* best = nullptr;
    for (const FunctionExtent& extent : extents)
      if (extent.file == file && extent.begin <= offset && offset <= extent.end &&
          (!best || extent.end - extent.begin <= best->end - best->begin))
        best = &extent;
    return best;
  }

 private:
  const clang::SourceManager& sources;
  bool isOpenCL;
  std::vector<FunctionExtent> extents;
};

/// Errors after which Clang no longer knows where functions end.
bool breaksNesting(llvm::StringRef text) {
  return text.contains("function definition is not allowed here") || text.contains("expected '}'") ||
         text.contains("extraneous closing brace") || text.contains("unterminated");
}

}  // namespace

DiagnosticCollector::DiagnosticCollector(clang::DiagnosticOptions& options)
    : stream(rendered), printer(stream, options) {}

void DiagnosticCollector::BeginSourceFile(const clang::LangOptions& options,
                                          const clang::Preprocessor* preprocessor) {
  hasOpenAcc = options.OpenACC;
  printer.BeginSourceFile(options, preprocessor);
}

void DiagnosticCollector::EndSourceFile() { printer.EndSourceFile(); }

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                           const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  Severity severity = severityOf(level);
  llvm::SmallString<128> text;
  info.FormatDiagnostic(text);
  if (hasOpenAcc && info.hasSourceManager())
    severity = accSeverity(severity, text, info.getLocation(), info.getSourceManager());
  if (severity == Severity::Remark) {
    keepsNotes = false;
    return;
  }
  // Notes go with the diagnostic before them.
  if (severity == Severity::Note ? !keepsNotes : diagnostics.size() >= maxDiagnostics) {
    keepsNotes = false;
    return;
  }
  keepsNotes = true;

  Diagnostic out;
  out.severity = severity;
  out.text = text.str().str();
  // nvcc takes `%laneid` for `%%laneid`; Clang keeps the statement as it is written.
  if (out.text == "invalid % escape in inline assembly string") out.severity = Severity::Warning;
  clang::SourceLocation at = info.getLocation();
  if (at.isValid() && info.hasSourceManager()) {
    at = info.getSourceManager().getExpansionLoc(at);
    clang::PresumedLoc presumed = info.getSourceManager().getPresumedLoc(at, false);
    if (presumed.isValid()) {
      out.file = presumed.getFilename();
      out.isInMainFile = info.getSourceManager().isInMainFile(at);
      out.line = presumed.getLine();
      out.column = presumed.getColumn();
    }
  } else {
    at = {};
  }
  if (diagnostics.size() < maxRendered) {
    const bool isTaken = severity == Severity::Warning && level >= clang::DiagnosticsEngine::Error;
    printer.HandleDiagnostic(isTaken ? clang::DiagnosticsEngine::Warning : level, info);
    out.rendering = std::move(rendered);
    rendered.clear();
  }
  diagnostics.push_back(std::move(out));
  locations.push_back(at);
}

void DiagnosticCollector::findPlaces(const std::vector<clang::Decl*>& declarations,
                                     const clang::SourceManager& sources, bool isOpenCL) {
  bool hasErrors = false;
  for (const Diagnostic& diagnostic : diagnostics) hasErrors |= diagnostic.severity >= Severity::Error;
  if (!hasErrors) return;
  ExtentFinder finder(sources, isOpenCL);
  for (clang::Decl* declaration : declarations) finder.TraverseDecl(declaration);

  for (std::size_t i = 0; i < diagnostics.size(); ++i) {
    Diagnostic& error = diagnostics[i];
    if (error.severity < Severity::Error || locations[i].isInvalid()) continue;
    const FunctionExtent* around = finder.find(locations[i]);
    // An error inside a header belongs to the user function that instantiated it.
    bool isElsewhere = sources.isInSystemHeader(locations[i]);
    for (std::size_t j = i + 1; j < diagnostics.size() && (isElsewhere || !around); ++j) {
      if (diagnostics[j].severity != Severity::Note) break;
      llvm::StringRef text = diagnostics[j].text;
      if (locations[j].isInvalid() || !(text.contains("requested here") || text.contains("called by")))
        continue;
      if (const FunctionExtent* user = finder.find(locations[j])) around = user;
    }
    if (!around || breaksNesting(error.text)) {
      error.place = ErrorPlace::Declaration;
      continue;
    }
    error.place = around->isDevice ? ErrorPlace::DeviceFunction : ErrorPlace::HostFunction;
    error.function = around->function->getQualifiedNameAsString();
  }
}

}  // namespace hone::frontend
