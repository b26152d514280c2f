#include "cli/inputs/GivenMacros.h"

#include "cli/inputs/GivenFile.h"

namespace hone::cli {

std::set<std::string> givenMacros(const std::vector<GivenFile>& files) {
  std::set<std::string> names;
  for (const GivenFile& file : files) {
    for (const auto& [macro, value] : file.import.macros) names.insert(macro);
    names.insert(file.import.functionMacros.begin(), file.import.functionMacros.end());
    const std::vector<std::string>& flags = file.request.flags;
    for (size_t i = 0; i < flags.size(); ++i) {
      std::string given;
      if (flags[i] == "-D" && i + 1 < flags.size())
        given = flags[i + 1];
      else if (flags[i].starts_with("-D"))
        given = flags[i].substr(2);
      if (!given.empty()) names.insert(given.substr(0, given.find('=')));
    }
  }
  return names;
}

std::set<std::string> arithmeticMacros(const std::vector<GivenFile>& files) {
  std::set<std::string> names, others;
  for (const GivenFile& file : files) {
    names.insert(file.import.arithmeticMacros.begin(), file.import.arithmeticMacros.end());
    for (const auto& [macro, value] : file.import.macros)
      if (!file.import.arithmeticMacros.contains(macro)) others.insert(macro);
  }
  std::erase_if(names, [&](const std::string& name) { return others.contains(name); });
  return names;
}

}  // namespace hone::cli
