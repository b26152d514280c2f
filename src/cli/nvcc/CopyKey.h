// What a copy depends on, so that it is found again when all of that is as it was.
#pragma once

#include <string>
#include <vector>

#include "cli/nvcc/BuildTarget.h"
#include "cli/nvcc/CopyCache.h"

namespace hone::cli {

// A source to be rewritten.
struct CopyRequest {
  std::string path;                  // as nvcc is given it
  std::vector<std::string> flags;    // of nvcc
  std::vector<std::string> options;  // of hone opt
  BuildTarget target;
  std::string cudaPath;         // toolkit of nvcc; empty: as hone looks for one
  size_t architectures = 1;     // that nvcc compiles for
  bool includesByPath = false;  // quoted includes become paths, for want of a folder that serves all sources
};

// A hash of what is known before the source is parsed. Throws hone::Error where a part of it cannot be read.
std::string requestKey(const CopyRequest& request);

// What reading the source took into account besides: `included`, and the files that would have come before
// these.
CopyInputs copyInputs(const CopyRequest& request, const std::vector<std::string>& included);

// Why a copy elsewhere would include other files than the source does; empty: it would not. Told to look for
// quoted includes in the source's folder, compilers do so for those of headers too; includes that became
// paths leave those that macros name, and __has_include.
std::string includeObstacle(const CopyRequest& request, const std::vector<std::string>& included,
                            const SourceCopy& copy);

// The names in quotes that the text includes.
std::vector<std::string> quotedIncludes(const std::string& text);

// The text with quoted includes that stand in `folder` as absolute paths, but for those in `except`.
std::string withIncludesFrom(const std::string& text, const std::string& folder,
                             const std::vector<std::string>& except);

}  // namespace hone::cli
