// Structs in the text of host code (HostScan): their fields in order, and what these are without a value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hone::device {

struct ConstructorText {
  std::vector<std::string> params = {};
  std::map<std::string, std::string> fields = {};  // what it sets them to
};

struct StructText {
  struct Field {
    std::string name, otherwise = {};  // its value where nothing else is given; empty: none
    bool isArray = false;
  };
  std::vector<Field> fields = {};
  bool isPlain = true;  // values in braces go to the fields one by one
  std::vector<ConstructorText> constructors = {};
  const Field* find(const std::string& name) const;
};

std::optional<StructText> structIn(const std::string& text, const std::string& name);

// The type of what is declared at `at`, without its namespace, template arguments, const, & and *; empty: no
// declaration. Products look like declarations of pointers: whoever asks knows the types.
std::string typeAt(const std::string& text, size_t at);

}  // namespace hone::device
