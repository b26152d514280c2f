#include "frontend/RunClang.h"

#include "frontend/RecordPreprocessor.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VersionTuple.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace hone::frontend {
namespace {

/// Keeps the declarations of user files in order.
class DeclarationKeeper : public clang::ASTConsumer {
 public:
  explicit DeclarationKeeper(std::vector<clang::Decl*>& out) : declarations(out) {}

  void Initialize(clang::ASTContext& context) override { sources = &context.getSourceManager(); }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) {
      clang::SourceLocation at = declaration->getLocation();
      if (at.isValid() && !sources->isInSystemHeader(sources->getExpansionLoc(at)))
        declarations.push_back(declaration);
    }
    return true;
  }

 private:
  std::vector<clang::Decl*>& declarations;
  const clang::SourceManager* sources = nullptr;
};

class ParseAction : public clang::ASTFrontendAction {
 public:
  explicit ParseAction(ParsedSource::Impl& into) : result(into) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    clang::Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(recordPreprocessor(preprocessor, result.record, result.missing));
    return std::make_unique<DeclarationKeeper>(result.declarations);
  }

 private:
  ParsedSource::Impl& result;
};

class NoFile : public std::error_category {
  const char* name() const noexcept override { return "hone"; }
  std::string message(int) const override { return std::string(pipeOrDevice); }
};

/// Opens files alone: a pipe blocks whoever opens it until somebody writes, and a device may have no end.
class RegularFiles : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    static const NoFile category;
    const llvm::ErrorOr<llvm::vfs::Status> found = status(path);
    if (found && !found->isRegularFile() && !found->isDirectory()) return std::error_code(1, category);
    return ProxyFileSystem::openFileForRead(path);
  }
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem(const SourceRequest& request,
                                                               const std::string& path) {
  auto real = llvm::makeIntrusiveRefCnt<RegularFiles>(llvm::vfs::getRealFileSystem());
  if (!request.contents && request.overlay.empty()) return real;
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (request.contents)
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(*request.contents, path));
  for (const auto& [name, text] : request.overlay)
    memory->addFile(name, 0, llvm::MemoryBuffer::getMemBufferCopy(text, name));
  auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(real);
  both->pushOverlay(memory);
  return both;
}

/// True for the force-included headers that every precompiled one begins with.
bool isInPrefix(const std::string& include) {
  llvm::StringRef name = include;
  return name == "__clang_cuda_runtime_wrapper.h" || name.ends_with("/hone_cuda.h") ||
         name.ends_with("/hone_cuda_compat.h");
}

/// Makes a compiler that is ready to begin its file; null when the arguments make no sense.
bool prepare(const ClangJob& job, ParsedSource::Impl& result) {
  auto files = makeFileSystem(*job.request, job.path);
  result.diagnosticOptions = std::make_unique<clang::DiagnosticOptions>();
  result.diagnosticOptions->ShowCarets = true;
  result.collector = std::make_unique<DiagnosticCollector>(*result.diagnosticOptions);

  // The driver looks for the host's C++ library from where it believes to be installed.
  std::vector<const char*> arguments = {"/usr/bin/clang"};
  for (const std::string& argument : job.arguments) arguments.push_back(argument.c_str());
  arguments.push_back(job.path.c_str());

  auto engine = clang::CompilerInstance::createDiagnostics(*files, *result.diagnosticOptions,
                                                           result.collector.get(), false);
  clang::CreateInvocationOptions options;
  options.Diags = engine;
  options.VFS = files;
  options.RecoverOnError = true;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(arguments, options);
  if (!invocation) return false;
  // The version decides what a launch is looked up as; the driver gives none without a library of device
  // functions.
  if (invocation->getLangOpts().CUDA && invocation->getTargetOpts().SDKVersion.empty())
    invocation->getTargetOpts().SDKVersion = llvm::VersionTuple(12, 9);
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getLangOpts().CommentOpts.ParseAllComments = false;
  invocation->getLangOpts().SpellChecking = false;
  invocation->getLangOpts().RecoveryAST = true;
  invocation->getLangOpts().RecoveryASTType = true;
  invocation->getPreprocessorOpts().DetailedRecord = false;
  if (!job.prefixHeader.empty()) {
    llvm::erase_if(invocation->getPreprocessorOpts().Includes, isInPrefix);
    invocation->getPreprocessorOpts().ImplicitPCHInclude = job.prefixHeader;
    // Notice also when a header of the toolkit or of hone itself has changed.
    invocation->getHeaderSearchOpts().ModulesValidateSystemHeaders = true;
  }

  result.compiler = std::make_unique<clang::CompilerInstance>(std::move(invocation));
  clang::CompilerInstance& compiler = *result.compiler;
  compiler.setVirtualFileSystem(files);
  compiler.createDiagnostics(result.collector.get(), false);
  compiler.getDiagnostics().setFatalsAsError(true);
  compiler.createFileManager();
  if (!compiler.createTarget()) return false;
  return compiler.getFrontendOpts().Inputs.size() == 1;
}

std::string firstError(const DiagnosticCollector& collector) {
  for (const Diagnostic& diagnostic : collector.diagnostics)
    if (diagnostic.severity >= Severity::Error) return diagnostic.text;
  return "Clang gave no reason";
}

/// True when an error is about the given file.
bool mentions(const DiagnosticCollector& collector, const std::string& file) {
  for (const Diagnostic& diagnostic : collector.diagnostics)
    if (diagnostic.severity >= Severity::Error && diagnostic.text.find(file) != std::string::npos)
      return true;
  return false;
}

}  // namespace

ParsedSource::Impl::~Impl() {
  if (action) action->EndSourceFile();
}

std::unique_ptr<ParsedSource::Impl> runClang(const ClangJob& job) {
  auto result = std::make_unique<ParsedSource::Impl>();
  result->path = job.path;
  if (!prepare(job, *result)) {
    result->failure = job.path + ": cannot be parsed with these flags: " + firstError(*result->collector);
    return result;
  }
  auto action = std::make_unique<ParseAction>(*result);
  if (!action->BeginSourceFile(*result->compiler, result->compiler->getFrontendOpts().Inputs[0])) {
    result->failure = job.path + ": cannot be parsed: " + firstError(*result->collector);
    return result;
  }
  result->action = std::move(action);
  if (llvm::Error error = result->action->Execute())
    result->failure = job.path + ": cannot be parsed: " + llvm::toString(std::move(error));
  clang::CompilerInstance& compiler = *result->compiler;
  if (!compiler.hasASTContext() || !compiler.hasSema()) {
    result->failure = job.path + ": cannot be parsed: " + firstError(*result->collector);
    return result;
  }
  if (!job.prefixHeader.empty() && mentions(*result->collector, job.prefixHeader)) {
    result->failure = job.path + ": the cached header does not fit";
    return result;
  }
  result->collector->findPlaces(result->declarations, compiler.getSourceManager(),
                                compiler.getLangOpts().OpenCL);
  return result;
}

bool writePrecompiledHeader(const ClangJob& job, const std::string& output) {
  ParsedSource::Impl result;
  if (!prepare(job, result)) return false;
  result.compiler->getFrontendOpts().OutputFile = output;
  result.compiler->getFrontendOpts().ProgramAction = clang::frontend::GeneratePCH;
  // What is left for the end of the unit is otherwise done anew for every file that uses the header.
  result.compiler->getLangOpts().PCHInstantiateTemplates = true;
  result.compiler->setVerboseOutputStream(llvm::nulls());
  clang::GeneratePCHAction action;
  return result.compiler->ExecuteAction(action) && result.collector->getNumErrors() == 0;
}

}  // namespace hone::frontend
