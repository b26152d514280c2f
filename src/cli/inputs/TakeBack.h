// Takes back, before a file is read, what hone wrote into it earlier, so that it works from what the user
// wrote.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emit/Marks.h"

namespace hone::cli {

class TakeBack {
 public:
  // `kernels`: names as the user gives them; what belongs to others stays. Empty: all goes.
  explicit TakeBack(std::vector<std::string> kernels) : wanted(std::move(kernels)) {}

  // Reads a file, each once; false where hone wrote nothing into it. Throws hone::Error for marked text that
  // was edited since, with its line; `shown` is the file's name in that message.
  bool look(const std::string& file, const std::string& shown);
  // The text of a file looked at, as it was before; nothing where nothing goes.
  std::optional<std::string> before(const std::string& file) const;

 private:
  bool isWanted(const emit::MarkedBlock& block) const;
  bool isNamed(const emit::MarkedBlock& block) const;

  struct Seen {
    std::string text;
    std::vector<emit::MarkedBlock> blocks;
  };
  std::vector<std::string> wanted;
  std::map<std::string, Seen> files;
  std::set<std::string> functions;  // launch functions of wanted kernels
  std::set<std::string> kept;       // those that stay for other instantiations of a template
};

// The functions of a block that take a launch's configuration: f(dim3 grid, …, or f<T>(dim3 grid, ….
std::set<std::string> launchFunctions(const std::string& text);

// "k.cu:12: …" for marked text that was edited.
std::string editedBlock(const std::string& shown, unsigned line);

}  // namespace hone::cli
