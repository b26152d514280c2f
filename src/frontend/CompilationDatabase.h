// Reads compile_commands.json.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hone::frontend {

struct CompileCommand {
  std::string file;  ///< absolute
  std::string directory;
  std::vector<std::string> flags;  ///< without the compiler, the input and the output
};

class CompilationDatabase {
 public:
  /// Reads `path`, a compile_commands.json or the folder that holds one. On failure `error` says why.
  static std::optional<CompilationDatabase> load(const std::string& path, std::string& error);

  /// The command for a file, or nothing.
  const CompileCommand* find(const std::string& file) const;

  /// The command for a file or else, as for headers, that of the file that lies and is named most like it.
  const CompileCommand* findNearest(const std::string& file) const;

  const std::vector<CompileCommand>& commands() const { return entries; }

 private:
  std::vector<CompileCommand> entries;
};

}  // namespace hone::frontend
