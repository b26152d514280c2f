// Names of the running program's own variables, by their addresses in it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace hone::capture {

class HostSymbols {
 public:
  // Empty where the program's table of symbols does not have it: it is stripped, or the variable is a
  // library's.
  std::string nameOf(const void* variable);

 private:
  void read();

  bool isRead = false;
  std::map<uint64_t, std::string> names;
};

}  // namespace hone::capture
