// The host's side of one source: compiled, preprocessed, or asked for the files that it reads.
#pragma once

#include <filesystem>
#include <functional>

#include "cli/programs/BuildProgram.h"
#include "cli/programs/HostHeaders.h"
#include "cli/programs/RunTool.h"

namespace hone::cli {

// Of a request that outlives it. All functions throw hone::Error with what the compiler says.
class HostSide {
 public:
  HostSide(const std::string& source, const BuildRequest& request, const std::filesystem::path& scratch);

  bool isCuda() const { return cuda; }
  // `more` are further words for this source alone. Returns the files that were read.
  std::vector<std::string> compile(const std::vector<std::string>& more, const std::string& object,
                                   std::vector<std::string>& notes);
  std::string preprocess();
  // The files that the user's source reads, by the names under which the user's flags find them; hone's own
  // headers are not among them.
  std::vector<std::string> filesRead(bool withSystemHeaders);

 private:
  std::string source;
  const BuildRequest& request;
  std::filesystem::path scratch;
  bool cuda = false, isC = false;
  HostCompiler asCpp, asC;

  // As C where the source is that, and as C++ where it turns out to need the runtime.
  void run(const std::function<Ran(const HostCompiler&)>& with, std::vector<std::string>* notes);
};

}  // namespace hone::cli
