#include "cli/inputs/ImportFiles.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "cli/inputs/BuildOptions.h"
#include "cli/inputs/TakeBack.h"
#include "sim/memory/FreedMemory.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

// Whether errors outside of functions are among them, or one of the kernels that are wanted has some.
bool errorsReachKernels(const frontend::ImportResult& import, const std::vector<std::string>& wanted) {
  const auto isOutside = [](const frontend::Diagnostic& one) {
    return one.severity >= frontend::Severity::Error && one.place == frontend::ErrorPlace::Declaration;
  };
  const auto isReached = [&](const frontend::ImportedKernel& kernel) {
    return !kernel.kernel && !kernel.isInSystemHeader && isWanted(kernel, wanted) &&
           kernel.reason.starts_with("Clang: ");
  };
  return std::any_of(import.diagnostics.begin(), import.diagnostics.end(), isOutside) ||
         std::any_of(import.kernels.begin(), import.kernels.end(), isReached) || import.kernels.empty();
}

bool isBroken(const frontend::ImportResult& import, const ImportWish& wish) {
  return !import.parsed ||
         (import.hasErrorsOutsideHostCode && !wish.keepGoing && errorsReachKernels(import, wish.kernels));
}

// Files of kernels are often included by the one that launches them and do not parse by themselves: what
// they hold is known from there.
void takeAsPart(GivenFile& file, const std::vector<GivenFile>& files, const ImportWish& wish) {
  if (!isBroken(file.import, {})) return;  // by any of its kernels, whether wanted or not
  for (const GivenFile& other : files) {
    const std::vector<std::string>& included = other.import.included;
    const bool isPart = &other != &file && !isBroken(other.import, wish) &&
                        std::any_of(included.begin(), included.end(), [&](const std::string& name) {
                          return canonicalPath(name) == file.canonical;
                        });
    if (!isPart) continue;
    frontend::ImportResult none;
    none.path = file.import.path;
    none.language = other.import.language;
    none.parsed = true;
    none.module.language = other.import.module.language;
    none.notes = {fmt::format("does not parse by itself; read as a part of {}", other.path)};
    file.import = std::move(none);
    file.partOf = other.path;
    return;
  }
}

// Shows what Clang said; true when the code is too broken to write anything.
bool reportProblems(const GivenFile& file, const ImportWish& wish) {
  const frontend::ImportResult& import = file.import;
  if (!import.parsed) {
    std::string message = import.failure.empty() ? file.path + ": cannot be parsed" : import.failure;
    if (message.back() != '\n') message += '\n';
    fmt::print(stderr, "{}", message);
    return true;
  }
  if (!wish.isQuiet)
    for (const std::string& note : import.notes) fmt::print(stderr, "{}: note: {}\n", file.path, note);
  if (!import.hasErrorsOutsideHostCode) return false;
  const bool isTooMuch = isBroken(import, wish);
  if (isTooMuch || !wish.isQuiet) fmt::print(stderr, "{}", import.renderedDiagnostics);
  return isTooMuch;
}

// Lets the parser see a file as it was; `name`: as Clang knows it.
void takeBack(GivenFile& file, const std::string& name, const std::string& canonical,
              const std::string& text) {
  if (canonical == file.canonical) {
    file.request.contents = text;
  } else {
    std::error_code ignored;
    file.request.overlay[canonical] = text;
    file.request.overlay[fs::absolute(name, ignored).lexically_normal().string()] = text;
  }
  file.takenBack[canonical] = text;
}

// What is included may be no plain file, or built in.
bool isReadable(const std::string& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored);
}

}  // namespace

bool importAll(const std::vector<std::string>& paths, const ParseOptions& parse, const ImportWish& wish,
               std::vector<GivenFile>& files) {
  DisplayNames names;
  for (const std::string& path : paths) names.give(path);
  TakeBack earlier(wish.kernels);
  for (const std::string& path : paths) {
    checkInput(path);
    const std::string canonical = canonicalPath(path);
    if (std::any_of(files.begin(), files.end(), [&](const GivenFile& f) { return f.canonical == canonical; }))
      continue;
    earlier.look(canonical, path);
    GivenFile file{path, canonical, requestFor(path, parse), {}};
    if (auto text = earlier.before(canonical)) takeBack(file, canonical, canonical, *text);
    file.import = importAsBuilt(file.request);
    files.push_back(std::move(file));
    sim::returnFreedMemory();  // what Clang took for one file is not at hand in one piece for the next
  }
  // Which headers there are is known by now; marks in one may decide about those in another file.
  std::map<std::string, std::string> headers;  // as Clang names them
  for (const GivenFile& file : files)
    for (const std::string& name : file.import.included)
      if (const std::string header = canonicalPath(name);
          !headers.contains(name) && isReadable(header) && earlier.look(header, names.of(header)))
        headers[name] = header;
  for (GivenFile& file : files) {
    const std::optional<std::string> parsed = file.request.contents;
    if (auto text = earlier.before(file.canonical)) takeBack(file, file.canonical, file.canonical, *text);
    for (const auto& [name, header] : headers)
      if (auto text = earlier.before(header)) takeBack(file, name, header, *text);
    if (file.request.contents != parsed || !file.request.overlay.empty())
      file.import = frontend::importFile(file.request);
  }
  for (GivenFile& file : files) takeAsPart(file, files, wish);
  bool isWhole = true;
  for (const GivenFile& file : files) isWhole = !reportProblems(file, wish) && isWhole;
  sim::returnFreedMemory();
  return isWhole;
}

}  // namespace hone::cli
