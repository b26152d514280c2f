// One C or C++ source with OpenACC: read, its regions lowered to kernels, and made an object.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "acc/HostText.h"
#include "acc/LowerRegion.h"
#include "cli/acc/AccWords.h"
#include "frontend/AccUnit.h"
#include "sim/bytecode/Bundle.h"

namespace hone::cli {

struct AccSource {
  AccInput input;
  frontend::AccUnit unit;
  std::vector<acc::LoweredRegion> lowered;     // of the unit's regions
  std::vector<std::vector<uint8_t>> programs;  // byte code of all their kernels, in order; empty: they call
                                               // what another file defines
  std::string text;                            // that places refer to
  bool isPreprocessed = false;                 // the text is no longer the user's file
  std::string warnings;                        // of the compiler, about pragmas, as it shows them
  bool isQuiet = false;                        // -w
  std::vector<acc::HostProblem> problems;      // notes, warnings and errors, in the order they were found

  bool hasConstructs() const;
  bool hasErrors() const;
};

// Reads a source and lowers its regions. Nothing: it is no business of OpenACC, and the compiler says all
// there is to say. Throws hone::Error where the file cannot be read.
std::optional<AccSource> readAccSource(const AccInput& input, const AccRequest& request,
                                       const std::filesystem::path& scratch);

// The same without what follows from the kernels: constructs are read, nothing is lowered.
std::optional<AccSource> importAccSource(const AccInput& input, const AccRequest& request,
                                         const std::filesystem::path& scratch);
void lowerAccSource(AccSource& source);

// Kernels by name, with byte code or with the reason why there is none; variables that other files share.
sim::Bundle accBundle(const AccSource& source);

// What launchers take for granted: kernels that are lowered once more, when files are linked, have to be
// launched as these are.
std::string accLaunches(const AccSource& source);

// Makes one object, or assembly, of a source that has constructs. Returns the compiler's exit status where
// that is not 0; throws hone::Error for the rest.
int compileAccSource(AccSource& source, const AccRequest& request, const std::string& output,
                     const std::filesystem::path& scratch);

// Notes, warnings and errors to stderr; whether there are errors.
bool printAccProblems(const AccSource& source);

}  // namespace hone::cli
