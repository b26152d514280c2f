// Runs Clang over one file and keeps the result: AST, preprocessor record and structured diagnostics.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class FileEntry;
class FileID;
class ASTContext;
class CompilerInstance;
class Decl;
class Preprocessor;
class Sema;
class SourceManager;
}  // namespace clang

namespace hone::frontend {

/// What Clang says of an include that is no file.
inline constexpr std::string_view pipeOrDevice = "it is a pipe or a device";

/// Acc: C or C++ with OpenACC, parsed for the host.
enum class Language { Auto, Cuda, OpenCL, Acc };

/// Which headers declare CUDA: hone's own small one, or those of an installed toolkit.
enum class CudaHeaders { Auto, BuiltIn, Toolkit };

/// Which of the two passes over a CUDA file is parsed; launches are in the AST of both.
enum class CudaPass { Device, Host };

struct SourceRequest {
  std::string path;
  Language language = Language::Auto;
  /// Compiler flags as the user gave them (nvcc's, clang's, or OpenCL build options).
  std::vector<std::string> flags;
  /// What relative paths in `flags` are relative to; empty is the current directory.
  std::string directory;
  /// Root of a CUDA toolkit; empty looks at CUDA_PATH, CUDA_HOME and /usr/local/cuda, "none" looks nowhere.
  std::string cudaPath;
  CudaHeaders headers = CudaHeaders::Auto;
  CudaPass pass = CudaPass::Device;
  bool useCache = true;
  /// Take kernels with #if in their bodies too: they are to be run, not written back.
  bool toRun = false;
  /// Functions and variables of the device may be defined in other files (-rdc): calls of what has no body
  /// are kept, what others may use is handed out, and spaces of pointers are left open for who joins the
  /// files.
  bool linksDevice = false;
  /// Text to parse in place of what is on disk at `path` (which then need not exist).
  std::optional<std::string> contents;
  /// With contents: names that are instantiated, see NameExpressions.h.
  std::vector<std::string> nameExpressions;
  /// Text that stands in for other files, by path.
  std::map<std::string, std::string> overlay;
};

enum class Severity { Note, Remark, Warning, Error, Fatal };

/// Where in the program an error stands, which decides whom it harms.
enum class ErrorPlace {
  None,            ///< no error, or without location
  HostFunction,    ///< inside a function that runs on the host only
  DeviceFunction,  ///< inside a kernel or a device function
  Declaration,     ///< outside of every function body
};

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string file;  ///< empty where Clang gives no location
  unsigned line = 0;
  unsigned column = 0;
  bool isInMainFile = false;
  std::string text;
  ErrorPlace place = ErrorPlace::None;
  std::string function;   ///< qualified name of the function that contains it, if any
  std::string rendering;  ///< as Clang shows it, with the source line and a caret
};

/// Half-open byte range of a file as stored on disk.
struct ByteRange {
  unsigned file = 0;  ///< index into PreprocessorRecord::files
  unsigned begin = 0;
  unsigned end = 0;
};

struct MacroDefinition {
  std::string name;
  ByteRange range;  ///< from the name to the end of the replacement list
  bool isFunctionLike = false;
  std::string body;  ///< replacement list as spelled
};

struct MacroExpansion {
  std::string name;
  ByteRange range;  ///< what is written in the file: `NAME` or `NAME(args)`
  bool isFunctionLike = false;
  bool isArgumentOrBody = false;  ///< expanded inside another expansion; `range` is then the outermost one
  bool spellsLaunch = false;      ///< makes text, or one token, of an argument that holds a launch
  int definition = -1;            ///< index into PreprocessorRecord::definitions; -1 for predefined ones
};

struct Conditional {
  enum class Kind { If, Ifdef, Ifndef, Elif, Elifdef, Elifndef, Else, Endif };
  Kind kind = Kind::If;
  ByteRange range;      ///< from the `#` to the end of the line
  unsigned opener = 0;  ///< index of the #if this belongs to (its own for an opener)
};

struct Inclusion {
  ByteRange directive;  ///< from the `#` to the end of the file name
  std::string spelled;  ///< as written, without quotes or brackets
  bool isAngled = false;
  std::string resolved;  ///< empty when it was not found
};

/// What the preprocessor did in user files; system and toolkit headers are left out.
struct PreprocessorRecord {
  std::vector<std::string> files;
  std::vector<MacroDefinition> definitions;
  std::vector<MacroExpansion> expansions;  ///< in order of appearance
  std::vector<Conditional> conditionals;
  std::vector<ByteRange> skipped;  ///< text left out by conditionals
  std::vector<Inclusion> inclusions;

  /// Whether a byte of a file belongs to the lines of a conditional directive.
  bool isInDirective(unsigned file, unsigned offset) const;
  /// The same, or to text that conditionals leave out.
  bool isDirectiveOrSkipped(const std::string& file, unsigned offset) const;
};

/// An #include that leads nowhere.
struct MissingHeader {
  std::string name;
  std::string file;  ///< the file with the #include
  unsigned line = 0;
  bool isAngled = false;
  /// "needs <x.h>, which is part of the CUDA toolkit; ..." where hone knows more, else "'x.h' not found".
  std::string message;
};

/// The outcome of one parse. It owns the Clang objects, which live exactly as long.
class ParsedSource {
 public:
  ParsedSource();
  ParsedSource(ParsedSource&&) noexcept;
  ParsedSource& operator=(ParsedSource&&) noexcept;
  ~ParsedSource();

  /// False when there is no AST to look at; `failure()` then says why in one line or more.
  bool hasAst() const;
  const std::string& failure() const;

  /// True when an error stands anywhere but inside host functions, so some kernels may be harmed.
  bool hasErrorsOutsideHostCode() const;
  /// True when there is any error at all.
  bool hasErrors() const;
  /// The first errors outside of host functions and their notes, as Clang shows them.
  std::string renderedErrors(std::size_t limit = 20) const;
  /// Includes that were not found, in user files and in the headers these include.
  const std::vector<MissingHeader>& missingHeaders() const;

  const std::vector<Diagnostic>& diagnostics() const;
  /// Words for the user: skipped flags, headers chosen.
  const std::vector<std::string>& notes() const;
  const PreprocessorRecord& record() const;

  Language language() const;
  bool usesToolkitHeaders() const;
  bool usesHeaderCache() const;
  bool fastMath() const;
  /// Absolute path of the main file as Clang knows it.
  const std::string& path() const;
  /// "sm_90" or, for OpenCL, the version of the language ("CL3.0").
  const std::string& dialect() const;

  clang::CompilerInstance& compiler() const;
  clang::ASTContext& ast() const;
  clang::SourceManager& sources() const;
  /// As SourceManager::translateFile, which looks at every macro expansion for each file.
  clang::FileID fileId(const clang::FileEntry& file) const;
  clang::Preprocessor& preprocessor() const;
  clang::Sema& sema() const;
  /// The declarations of user files in order, namespaces and `extern "C"` unopened. Walk these rather than
  /// the translation unit: with a header cache that would load every declaration of the toolkit.
  const std::vector<clang::Decl*>& declarations() const;

  struct Impl;
  explicit ParsedSource(std::unique_ptr<Impl> impl);
  Impl& impl() const { return *state; }

 private:
  std::unique_ptr<Impl> state;
};

/// Parses one file; never throws and never ends the process, whatever the input.
ParsedSource parse(const SourceRequest& request);

/// The language of a file by its name and, for C and C++ names, by whether its text has kernels.
Language detectLanguage(std::string_view path, std::string_view contents);

}  // namespace hone::frontend
