#include "frontend/ParseSource.h"

#include "frontend/ClangArguments.h"
#include "frontend/CompilerFlags.h"
#include "frontend/HeaderCache.h"
#include "frontend/RunClang.h"
#include "frontend/RunGuarded.h"
#include "frontend/SourceText.h"
#include "frontend/ToolchainPaths.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace fs = std::filesystem;

namespace hone::frontend {
namespace {

using ImplPtr = std::unique_ptr<ParsedSource::Impl>;

ImplPtr failed(const std::string& path, std::string message) {
  auto result = std::make_unique<ParsedSource::Impl>();
  result->path = path;
  result->failure = std::move(message);
  return result;
}

std::size_t errorsIn(const ParsedSource::Impl& parsed) {
  if (!parsed.collector) return 0;
  return static_cast<std::size_t>(
      std::count_if(parsed.collector->diagnostics.begin(), parsed.collector->diagnostics.end(),
                    [](const Diagnostic& it) { return it.severity >= Severity::Error; }));
}

std::size_t errorsOutsideHostCode(const ParsedSource::Impl& parsed) {
  if (!parsed.collector) return 0;
  return static_cast<std::size_t>(std::count_if(
      parsed.collector->diagnostics.begin(), parsed.collector->diagnostics.end(), [](const Diagnostic& it) {
        return it.severity >= Severity::Error && it.place != ErrorPlace::HostFunction;
      }));
}

/// True when every include of the text that belongs to a CUDA toolkit has a stand-in of ours.
bool standInsSuffice(const std::vector<std::string>& includes, const CudaToolkit& toolkit) {
  std::error_code ignored;
  fs::path ours = fs::path(honeIncludeDirectory()) / "cuda_stub";
  fs::path theirs = fs::path(toolkit.root) / "include";
  for (const std::string& name : includes) {
    if (fs::exists(ours / name, ignored)) continue;
    if (fs::exists(theirs / name, ignored) || fs::exists(theirs / "cccl" / name, ignored)) return false;
  }
  return true;
}

/// True for names that the CUDA toolkit is known to bring.
bool belongsToCudaToolkit(const std::string& name) {
  for (const char* prefix : {"cub/",
                             "thrust/",
                             "cuda/",
                             "nv/",
                             "nvtx3/",
                             "cooperative_groups",
                             "crt/",
                             "cuda.h",
                             "cuda_",
                             "cudart",
                             "cudaGL",
                             "cudaProfiler",
                             "cuComplex",
                             "cublas",
                             "cufft",
                             "cupti",
                             "curand",
                             "cusolver",
                             "cusparse",
                             "npp",
                             "nvrtc",
                             "nvml",
                             "nvJitLink",
                             "nvjpeg",
                             "nvToolsExt",
                             "nvblas",
                             "mma.h",
                             "vector_functions",
                             "vector_types",
                             "texture_",
                             "surface_",
                             "device_",
                             "driver_types",
                             "driver_functions",
                             "host_defines",
                             "host_config",
                             "channel_descriptor",
                             "math_functions",
                             "math_constants",
                             "sm_",
                             "library_types",
                             "builtin_types",
                             "common_functions"})
    if (name.compare(0, std::char_traits<char>::length(prefix), prefix) == 0) return true;
  return false;
}

void explainMissing(ParsedSource::Impl& parsed, const std::optional<CudaToolkit>& toolkit) {
  for (MissingHeader& lost : parsed.missing) {
    std::string quoted = lost.isAngled ? "<" + lost.name + ">" : "\"" + lost.name + "\"";
    bool isCuda = parsed.language == Language::Cuda && belongsToCudaToolkit(lost.name);
    if (isCuda && !toolkit)
      lost.message =
          "needs " + quoted + ", which is part of the CUDA toolkit; none was found; pass --cuda-path";
    else if (isCuda)
      lost.message = "needs " + quoted + ", which the CUDA toolkit at " + toolkit->root + " does not have";
    else
      lost.message = "needs " + quoted + ", which was not found; pass its folder with -I" +
                     // `hone acc` takes flags as compilers do.
                     (parsed.language == Language::Acc ? "" : " after --");
    if (!parsed.collector) continue;
    for (Diagnostic& diagnostic : parsed.collector->diagnostics) {
      if (diagnostic.line != lost.line || diagnostic.file != lost.file) continue;
      if (diagnostic.text != "'" + lost.name + "' file not found") continue;
      diagnostic.text = lost.message;
      diagnostic.rendering += lost.file + ":" + std::to_string(lost.line) + ": note: " + lost.message + "\n";
    }
  }
}

/// Shows the main file by the name the user gave it.
void useGivenName(ParsedSource::Impl& parsed, const std::string& given) {
  if (parsed.path == given || !parsed.collector) return;
  for (Diagnostic& diagnostic : parsed.collector->diagnostics) {
    if (diagnostic.file == parsed.path) diagnostic.file = given;
    for (std::size_t at = diagnostic.rendering.find(parsed.path + ":"); at != std::string::npos;
         at = diagnostic.rendering.find(parsed.path + ":", at + given.size()))
      diagnostic.rendering.replace(at, parsed.path.size(), given);
  }
  for (MissingHeader& lost : parsed.missing)
    if (lost.file == parsed.path) lost.file = given;
}

ImplPtr parseCuda(const SourceRequest& request, const std::string& path, const std::string& text,
                  const CompilerFlags& flags) {
  std::string preferred = request.cudaPath.empty() ? flags.cudaPath : request.cudaPath;
  std::optional<CudaToolkit> toolkit;
  if (request.headers != CudaHeaders::BuiltIn && preferred != "none") {
    toolkit = findCudaToolkit(preferred);
    if (!preferred.empty() && !toolkit)
      return failed(
          path, "no CUDA toolkit at " + preferred + " (no include/cuda_runtime.h and include/cuda.h there)");
  }
  if (request.headers == CudaHeaders::Toolkit && !toolkit)
    return failed(path, "no CUDA toolkit was found; pass --cuda-path");

  auto attempt = [&](bool withToolkit, bool withImplicit = false) {
    std::optional<CudaToolkit> chosen = withToolkit ? toolkit : std::nullopt;
    ClangJob job;
    job.path = path;
    job.request = &request;
    job.arguments = cudaArguments(flags, chosen, request.pass);
    if (withImplicit) addImplicitHeaders(job.arguments);
    if (request.useCache && request.overlay.empty())
      job.prefixHeader = cachedHeader({flags, chosen, request.pass, precompilableIncludes(text, chosen)});
    ImplPtr result = runClang(job);
    if (!result->failure.empty() && !job.prefixHeader.empty()) {
      // What is cached may be stale or not fit after all.
      rejectCachedHeader(job.prefixHeader);
      job.prefixHeader.clear();
      result = runClang(job);
    }
    result->language = Language::Cuda;
    result->usesToolkit = withToolkit;
    result->usesCache = !job.prefixHeader.empty();
    result->dialect = chooseArch(flags);
    return result;
  };

  bool startWithToolkit = request.headers == CudaHeaders::Toolkit;
  if (request.headers == CudaHeaders::Auto && toolkit)
    startWithToolkit = !standInsSuffice(scanIncludes(text), *toolkit);
  ImplPtr best = attempt(startWithToolkit);
  auto isGood = [&] {
    return best->failure.empty() && best->missing.empty() && errorsOutsideHostCode(*best) == 0;
  };
  auto tryBetter = [&](ImplPtr other) {
    bool isBetter = !best->failure.empty() || other->missing.size() < best->missing.size() ||
                    errorsOutsideHostCode(*other) < errorsOutsideHostCode(*best);
    if (other->failure.empty() && isBetter) best = std::move(other);
  };
  if (!isGood() && !startWithToolkit) {
    if (request.headers == CudaHeaders::Auto && toolkit)
      tryBetter(attempt(true));
    else
      tryBetter(attempt(false, true));
  }
  // Launches in host code that does not parse would not be seen.
  if (isGood() && !best->usesToolkit && errorsIn(*best) > 0)
    if (ImplPtr other = attempt(false, true); other->failure.empty() && errorsIn(*other) < errorsIn(*best))
      best = std::move(other);
  explainMissing(*best, toolkit);
  return best;
}

ImplPtr parseOpenCL(const SourceRequest& request, const std::string& path, const CompilerFlags& flags) {
  // Without -cl-std the language is OpenCL C 1.2 by its specification; code that needs more shows by its
  // errors.
  std::vector<std::string> standards = {"CL1.2", "CL3.0"};
  if (!flags.openclStandard.empty()) standards = {flags.openclStandard};
  ImplPtr best;
  for (const std::string& standard : standards) {
    ClangJob job;
    job.path = path;
    job.request = &request;
    job.arguments = openclArguments(flags, standard);
    ImplPtr result = runClang(job);
    result->language = Language::OpenCL;
    result->dialect = standard;
    bool isGood = result->failure.empty() && errorsOutsideHostCode(*result) == 0;
    if (!best || !best->failure.empty() || errorsOutsideHostCode(*result) < errorsOutsideHostCode(*best))
      best = std::move(result);
    if (isGood) break;
  }
  explainMissing(*best, std::nullopt);
  return best;
}

/// C by the name or by -x, else C++.
bool isCppSource(const std::string& path, const CompilerFlags& flags) {
  if (!flags.language.empty()) return flags.language.compare(0, 3, "c++") == 0;
  return fs::path(path).extension() != ".c";
}

ImplPtr parseAcc(const SourceRequest& request, const std::string& path, const CompilerFlags& flags) {
  ClangJob job;
  job.path = path;
  job.request = &request;
  job.arguments = accArguments(flags, isCppSource(path, flags));
  ImplPtr result = runClang(job);
  result->language = Language::Acc;
  explainMissing(*result, std::nullopt);
  return result;
}

ImplPtr parseGuarded(const SourceRequest& request) {
  std::error_code error;
  std::string path = fs::absolute(request.path, error).lexically_normal().string();
  std::string text;
  std::string problem;
  if (request.contents) {
    text = *request.contents;
    problem = checkSource(request.path, text);
  } else {
    problem = readSource(request.path, text);
  }
  if (!problem.empty()) return failed(path, problem);

  if (std::string missing = checkInstallation(); !missing.empty()) return failed(path, missing);

  CompilerFlags flags = readFlags(request.flags, request.directory);
  Language language = request.language;
  if (language == Language::Auto && flags.language == "cuda") language = Language::Cuda;
  if (language == Language::Auto && flags.language == "cl") language = Language::OpenCL;
  if (language == Language::Auto) language = detectLanguage(path, text);

  ImplPtr result = language == Language::OpenCL ? parseOpenCL(request, path, flags)
                   : language == Language::Acc  ? parseAcc(request, path, flags)
                                                : parseCuda(request, path, text, flags);
  useGivenName(*result, request.path);
  result->fastMath = flags.fastMath;
  result->notes.insert(result->notes.begin(), flags.notes.begin(), flags.notes.end());
  return result;
}

}  // namespace

ParsedSource parse(const SourceRequest& request) {
  ImplPtr result;
  Crash crash = runGuarded([&] { result = parseGuarded(request); });
  if (crash && !crash.isDeep && request.useCache) {
    // A damaged cache can bring Clang down.
    (void)result.release();
    SourceRequest uncached = request;
    uncached.useCache = false;
    crash = runGuarded([&] { result = parseGuarded(uncached); });
  }
  if (crash || !result) {
    (void)result.release();  // a crashed compiler cannot be taken apart
    result = failed(request.path, request.path + ": " + crash.what);
  }
  return ParsedSource(std::move(result));
}

ParsedSource::ParsedSource() : state(std::make_unique<Impl>()) {}
ParsedSource::ParsedSource(std::unique_ptr<Impl> impl) : state(std::move(impl)) {}
ParsedSource::ParsedSource(ParsedSource&&) noexcept = default;
ParsedSource& ParsedSource::operator=(ParsedSource&&) noexcept = default;
ParsedSource::~ParsedSource() = default;

bool ParsedSource::hasAst() const { return state->failure.empty() && state->compiler; }
const std::string& ParsedSource::failure() const { return state->failure; }
bool ParsedSource::hasErrorsOutsideHostCode() const { return errorsOutsideHostCode(*state) > 0; }
bool ParsedSource::hasErrors() const { return state->collector && state->collector->getNumErrors() > 0; }

std::string ParsedSource::renderedErrors(std::size_t limit) const {
  std::string out;
  std::size_t shown = 0;
  bool isShown = false;
  for (const Diagnostic& diagnostic : diagnostics()) {
    if (diagnostic.severity >= Severity::Error) {
      isShown = diagnostic.place != ErrorPlace::HostFunction && shown < limit;
      shown += diagnostic.place != ErrorPlace::HostFunction;
    } else if (diagnostic.severity != Severity::Note) {
      isShown = false;
    }
    if (isShown) out += diagnostic.rendering;
  }
  if (shown > limit) out += "and " + std::to_string(shown - limit) + " more errors\n";
  return out;
}

const std::vector<MissingHeader>& ParsedSource::missingHeaders() const { return state->missing; }

const std::vector<Diagnostic>& ParsedSource::diagnostics() const {
  static const std::vector<Diagnostic> none;
  return state->collector ? state->collector->diagnostics : none;
}

const std::vector<std::string>& ParsedSource::notes() const { return state->notes; }
const PreprocessorRecord& ParsedSource::record() const { return state->record; }
Language ParsedSource::language() const { return state->language; }
bool ParsedSource::usesToolkitHeaders() const { return state->usesToolkit; }
bool ParsedSource::usesHeaderCache() const { return state->usesCache; }
bool ParsedSource::fastMath() const { return state->fastMath; }
const std::string& ParsedSource::path() const { return state->path; }
const std::string& ParsedSource::dialect() const { return state->dialect; }
clang::CompilerInstance& ParsedSource::compiler() const { return *state->compiler; }
clang::ASTContext& ParsedSource::ast() const { return state->compiler->getASTContext(); }
clang::SourceManager& ParsedSource::sources() const { return state->compiler->getSourceManager(); }
clang::FileID ParsedSource::fileId(const clang::FileEntry& file) const {
  clang::SourceManager& manager = sources();
  auto& ids = state->fileIds;
  if (ids.empty()) {
    const auto add = [&](clang::FileID id) {
      if (const clang::FileEntry* entry = manager.getFileEntryForID(id)) ids.try_emplace(entry, id);
    };
    add(manager.getMainFileID());
    for (unsigned i = 1; i < manager.local_sloc_entry_size(); ++i)
      if (const clang::SrcMgr::SLocEntry& entry = manager.getLocalSLocEntry(i); entry.isFile())
        add(manager.getFileID(clang::SourceLocation::getFromRawEncoding(entry.getOffset())));
  }
  const auto [known, isNew] = ids.try_emplace(&file);
  if (isNew) known->second = manager.translateFile(&file);
  return known->second;
}
clang::Preprocessor& ParsedSource::preprocessor() const { return state->compiler->getPreprocessor(); }
clang::Sema& ParsedSource::sema() const { return state->compiler->getSema(); }
const std::vector<clang::Decl*>& ParsedSource::declarations() const { return state->declarations; }

}  // namespace hone::frontend
