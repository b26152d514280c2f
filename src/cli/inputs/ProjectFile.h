// hone.toml: what a project always tells hone, so that no command line has to.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hone::cli {

struct ParseOptions;

struct ProjectFile {
  // A file or folder that it names.
  struct Place {
    std::string given;  // as written
    std::string path;   // as seen from the current folder, or absolute
    unsigned line = 0;
  };

  std::string file;  // as shown in messages
  std::string root;  // its folder, canonical
  std::vector<std::string> targets;
  std::optional<Place> database;
  std::vector<Place> captures;
  std::vector<std::string> leaveFiles, leaveKernels;  // patterns; files as seen from the root
  std::optional<double> minutes, fileMinutes;  // of a run over a database, and for files of one program
  std::optional<unsigned> jobs;
  std::optional<Place> baseline, sarif;
  std::optional<double> gain;  // the least that is worth a report
  bool noGuessed = false;      // findings at sizes that were guessed are left out of it
  bool reassociate = false, assumeNoalias = false, trustSizes = false, offer = false, keepGoing = false,
       strict = false, selfCheck = false;

  // Which of its patterns a file (canonical) or a kernel is left alone by, as an author of it would look for
  // it: "leave.files \"third_party/**\""; empty: by none.
  std::string leavesFile(const std::string& file) const;
  std::string leavesKernel(const std::string& name, const std::string& qualifiedName) const;
};

// Throws hone::Error with file, line and what to do.
ProjectFile readProjectFile(const std::string& path);

// The hone.toml of the current folder or of the nearest one above it, no further than a folder with .git in
// it and the home folder; empty: there is none.
std::string findProjectFile();

// Reads the project's file (--project, or the one that is found) into `parse`, unless --no-project is given,
// and takes from it what the command line leaves open: the database and, where these are not null, the target
// and the captures. Says in a line on stderr what it took. Throws hone::Error.
void takeProject(ParseOptions& parse, std::string* target, std::vector<std::string>* captures,
                 bool isQuiet = false);

// The folder that reports name files from: that of the repository around the project's file or the current
// folder (the nearest with .git in it), else the project's, else the current one. Canonical.
std::string reportRoot(const ParseOptions& parse);
// The folder that baselines name files from: the project's, else reportRoot.
std::string projectRoot(const ParseOptions& parse);

}  // namespace hone::cli
