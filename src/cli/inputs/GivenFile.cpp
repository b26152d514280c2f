#include "cli/inputs/GivenFile.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "ir/Error.h"
#include "ir/Nearest.h"

namespace hone::cli {

using frontend::ImportedKernel;

namespace {

std::string stripBlanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  return text;
}

}  // namespace

std::string withArguments(const std::string& name, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return name;
  std::string list;
  for (const std::string& argument : arguments) list += (list.empty() ? "" : ", ") + argument;
  return name + "<" + list + ">";
}

bool isNamed(const std::string& wanted, const std::string& name, const std::string& qualifiedName,
             const std::vector<std::string>& templateArgs) {
  if (wanted == name || wanted == qualifiedName) return true;
  if (templateArgs.empty()) return false;
  std::string bare = stripBlanks(wanted);
  return bare == stripBlanks(withArguments(name, templateArgs)) ||
         bare == stripBlanks(withArguments(qualifiedName, templateArgs));
}

bool isWanted(const ImportedKernel& kernel, const std::vector<std::string>& wanted) {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
           return isNamed(name, kernel.name, kernel.qualifiedName, kernel.templateArgs);
         });
}

void checkKernelNames(const std::vector<std::string>& wanted, const std::vector<GivenFile>& files) {
  std::set<std::string> names;
  for (const GivenFile& file : files)
    for (const ImportedKernel& kernel : file.import.kernels) {
      if (kernel.isInSystemHeader) continue;
      names.insert({kernel.name, kernel.qualifiedName});
      if (!kernel.templateArgs.empty()) names.insert(withArguments(kernel.name, kernel.templateArgs));
    }
  for (const std::string& name : wanted) {
    bool found = false;
    for (const GivenFile& file : files)
      for (const ImportedKernel& kernel : file.import.kernels)
        found = found || (!kernel.isInSystemHeader &&
                          isNamed(name, kernel.name, kernel.qualifiedName, kernel.templateArgs));
    if (found) continue;
    if (names.empty())
      throw Error(fmt::format("{}: there is no kernel '{}': there is none at all", files.front().path, name));
    std::string all;
    size_t shown = 0;
    for (const std::string& known : names)
      if (++shown <= 8) all += (all.empty() ? "" : ", ") + known;
    if (shown > 8) all += ", …";
    throw Error(fmt::format("{}: there is no kernel '{}'{}\nkernels here: {}", files.front().path, name,
                            didYouMean(name, {names.begin(), names.end()}), all));
  }
}

}  // namespace hone::cli
