#include "cli/inputs/ImportFiles.h"

#include <fmt/core.h>

#include <algorithm>

namespace hone::cli {

namespace {

// Shows what Clang said; true when the code is too broken to write anything.
bool reportProblems(const GivenFile& file, bool keepGoing) {
  const frontend::ImportResult& import = file.import;
  if (!import.parsed) {
    std::string message = import.failure.empty() ? file.path + ": cannot be parsed" : import.failure;
    if (message.back() != '\n') message += '\n';
    fmt::print(stderr, "{}", message);
    return true;
  }
  for (const std::string& note : import.notes) fmt::print(stderr, "{}: note: {}\n", file.path, note);
  if (import.hasErrorsOutsideHostCode) fmt::print(stderr, "{}", import.renderedDiagnostics);
  return import.hasErrorsOutsideHostCode && !keepGoing;
}

}  // namespace

bool importAll(const std::vector<std::string>& paths, const ParseOptions& parse, bool keepGoing,
               std::vector<GivenFile>& files) {
  bool isBroken = false;
  for (const std::string& path : paths) {
    checkInput(path);
    const std::string canonical = canonicalPath(path);
    if (std::any_of(files.begin(), files.end(), [&](const GivenFile& f) { return f.canonical == canonical; }))
      continue;
    GivenFile file{path, canonical, requestFor(path, parse), {}};
    file.import = frontend::importFile(file.request);
    isBroken = reportProblems(file, keepGoing) || isBroken;
    files.push_back(std::move(file));
  }
  return !isBroken;
}

}  // namespace hone::cli
