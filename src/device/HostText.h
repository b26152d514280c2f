// Values that host code gives to a launch, as far as they can be read off its text: constants, macros,
// variables set from these before the launch, small functions such as divUp(n, 256).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>

#include "device/SizeExpr.h"

namespace hone::device {

class HostText {
 public:
  // `path` is the file with the launch on `line`; what it includes in quotes is looked through too. `macros`
  // are the values that the preprocessor settled on: of several definitions in the text only it knows which
  // counts.
  HostText(const std::string& path, unsigned line, std::map<std::string, std::string> macros = {});

  // Names whose value is decided elsewhere: a size that the kernel is to be run with.
  std::map<std::string, Number> overrides;

  std::optional<Number> value(const std::string& expression) const;
  // Whether a launch cannot have another value of an expression: its names are macros, overrides, or
  // variables that are set once, where the launch can see them. Else the value is one among others: a default
  // that the command line changes, one turn of a loop, a namesake in another function.
  bool isSettled(const std::string& expression) const;
  // "dim3(4, 4)", the name of a dim3, or one number.
  std::optional<std::array<Number, 3>> extents(const std::string& expression) const;

 private:
  struct Text {
    std::string text;   // comments and strings blanked out
    size_t before = 0;  // only what stands before this place counts, macros aside
  };
  void load(const std::string& path, unsigned depth);
  std::optional<std::array<Number, 3>> extentsOf(const std::string& expression) const;
  std::optional<Number> nameValue(const std::string& name) const;
  std::optional<Number> callValue(const std::string& name, std::span<const Number> args) const;
  std::optional<std::array<Number, 3>> namedExtents(const std::string& name) const;
  bool isSettledName(const std::string& name) const;
  // Whether it is counted on (`++`, `+=`) between where it is set and the launch.
  bool isCountedOn(const std::string& name) const;
  std::vector<std::string> definitionsOf(const std::string& name, bool afterLaunch) const;
  std::optional<std::pair<std::vector<std::string>, std::string>> functionOf(const std::string& name) const;
  Names names() const;

  std::vector<Text> texts;
  std::map<std::string, std::string> macros;
  std::set<std::string> seen;
  mutable std::set<std::string> active;  // names being looked up, against cycles
  mutable bool isForExtents = false;     // what is being looked up: half a value is worse than none
};

}  // namespace hone::device
