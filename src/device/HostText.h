// Values that host code gives to a launch, as far as they can be read off its text: constants, macros,
// variables set from these before the launch, fields of structs, what callers of the function that launches
// hand over, small functions such as divUp(n, 256).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "device/HostScan.h"
#include "device/HostStruct.h"
#include "device/SizeExpr.h"

namespace hone::device {

// Another file of the program: the function that launches may be called there.
struct HostFile {
  std::string path;
  std::map<std::string, std::string> macros = {};
  std::map<std::string, std::string> instead = {};
};

class HostText {
 public:
  // `path` is the file with the launch at `line` and `column`, both from 1; what it includes in quotes is
  // looked through too. `macros` are the values that the preprocessor settled on: of several definitions in
  // the text only it knows which counts. `instead` has texts, by canonical path, that stand for those of
  // files. `others` are looked through for callers alone.
  HostText(const std::string& path, unsigned line, std::map<std::string, std::string> macros = {},
           unsigned column = 1, const std::map<std::string, std::string>& instead = {},
           const std::vector<HostFile>& others = {});

  // The same file, looked at from another launch.
  HostText from(unsigned line, unsigned column) const;

  // Whether the value rests on the program being called without arguments, whose defaults it then has.
  bool isDefault(const std::string& expression) const;

  // Names whose value is decided elsewhere: a size that the kernel is to be run with.
  std::map<std::string, Number> overrides;
  // Decides the value of a name or a member, and of the variable that it is a copy of, here or in a caller.
  void decide(const std::string& path, const Number& value);

  // Which iteration of the loops around the launch is meant; those that are not read off the text have but
  // the first.
  enum class Turn : uint8_t { First, Middle, Last };
  Turn turn = Turn::First;

  // What the text says, if only in one of several places; isSettled tells whether it is all there is.
  std::optional<Number> value(const std::string& expression) const;
  // "dim3(4, 4)", the name of a dim3, or one number.
  std::optional<std::array<Number, 3>> extents(const std::string& expression) const;
  // Whether a launch cannot have another value of an expression, extents or a number: its names are macros,
  // overrides, or variables that are set where the launch can see it, under no condition, and not changed
  // behind. Else the value is one among others: a default that the command line changes, one turn of a loop,
  // a namesake in another function.
  bool isSettled(const std::string& expression) const;

 private:
  struct Text {
    std::string text;  // comments and strings blanked out
    size_t unit = 0;   // 0: of the file with the launch
  };
  struct Setting {
    size_t text = 0, at = 0;
    std::string value = {};
  };
  // What is set last before the place that is looked from, in its sight and under no condition.
  struct InForce {
    std::optional<Setting> whole;
    std::array<std::optional<Setting>, 3> fields;
    bool isSettled = false;  // nothing changes it in between, or in another iteration
  };
  void load(const std::string& path, unsigned depth, const std::map<std::string, std::string>& instead,
            size_t unit, std::vector<Text>& into);
  size_t placeOf(unsigned line, unsigned column) const;
  const std::string& main() const { return (*texts)[current].text; }  // that is looked from
  bool isOfUnit(size_t text) const { return (*texts)[text].unit == (*texts)[current].unit; }
  const std::string* macro(const std::string& name) const;
  std::optional<std::array<Number, 3>> extentsOf(const std::string& expression) const;
  std::optional<Number> nameValue(const std::string& name) const;
  std::optional<Number> callValue(const std::string& name, std::span<const Number> args) const;
  std::optional<std::array<Number, 3>> namedExtents(const std::string& name) const;
  std::optional<std::array<Number, 3>> returnedExtents(const std::string& call) const;
  struct Function {
    std::vector<std::string> params;
    Setting returned;  // where it stands; of macros, where they are used
    bool isMacro = false;
    bool isWhole = false;  // whole numbers or a dim3 go in and come out
  };
  // Nothing: there is none, or several, or it does more than return.
  std::optional<Function> functionOf(const std::string& name) const;
  bool isFunctionInSight(const std::string& name) const;
  // Whether the preprocessor has other values of a macro in other places.
  bool isRedefined(const std::string& name) const;
  // The type that the variable has which a setting sets; empty: it is not in sight.
  std::string typeOf(const std::string& name, const Setting& setting) const;
  Names names() const;
  // Looks from where the setting stands while `look` runs.
  template <typename Look>
  auto seenFrom(const Setting& setting, Look look) const {
    const size_t before = std::exchange(place, setting.at), text = std::exchange(current, setting.text);
    auto found = look(setting.value);
    place = before, current = text;
    return found;
  }

  // What callers hand over for a parameter of the function around, or its default; nothing: it is none, or
  // is set anew before the place that is looked from.
  std::optional<std::vector<Setting>> argumentsFor(const std::string& name) const;
  // Looks at the arguments for `name` from their calls, until one has what is looked for. Within calls the
  // same names mean others.
  template <typename Look>
  auto fromCallers(const std::string& name, const std::vector<Setting>& arguments, Look look) const
      -> decltype(look(std::string())) {
    const std::string key = "call " + name + "@" + std::to_string(current) + ":" + std::to_string(place);
    if (active.contains(key) || active.size() > 30) return {};
    std::set<std::string> inside = {key};
    for (const std::string& one : active)
      if (one.starts_with("call ")) inside.insert(one);
    std::set<std::string> before = std::exchange(active, std::move(inside));
    decltype(look(std::string())) found = {};
    for (const Setting& argument : arguments)
      if ((found = seenFrom(argument, look))) break;
    active = std::move(before);
    return found;
  }

  std::optional<StructText> structOf(const std::string& name) const;
  // Of a field, or a field of a field, of a variable.
  std::optional<Number> memberValue(const std::string& base, const std::string& path) const;
  std::optional<Number> memberOfNew(const StructText& type, const std::string& base, size_t at,
                                    const std::string& path) const;
  std::optional<Number> memberOfBraces(const StructText& type, const std::string& inside,
                                       const std::string& path) const;
  std::optional<Number> memberOfConstructor(const StructText& type, const std::vector<std::string>& args,
                                            const std::string& field) const;
  // What a name or a member is a copy of, as text where it stands; empty: of no other.
  std::optional<Setting> copiedFrom(const std::string& path) const;

  InForce inForce(const std::string& name) const;
  InForce inForceOutside(const std::string& name) const;
  bool isChangedBehind(const std::string& name, const Setting& whole) const;
  bool isChangedAnywhere(const std::string& name, const Setting& whole) const;
  bool isSettledName(const std::string& name) const;
  // Whether nothing but what is in force can set the variable, beyond what inForce sees.
  bool isOnlySetting(const std::string& name, const InForce& now) const;
  bool isHidden(const std::string& name, size_t text, size_t declared) const;
  bool isReadOnly(const std::string& name, const InForce& now, size_t declared) const;
  bool isSettledCall(const std::string& name) const;
  // All that sets a name, the likeliest first.
  std::vector<Setting> settingsOf(const std::string& name) const;
  // Whether it is counted on (`++`, `+=`) between where it is set and the place that is looked from.
  bool isCountedOn(const std::string& name, const Setting& setting) const;
  // Whether a function that may set it gets it in between.
  bool isHandedOn(const std::string& name, const Setting& setting) const;

  // The value of a variable that a loop around the launch counts, in another turn than the first.
  std::optional<Number> turnValue(const std::string& name) const;
  std::optional<Number> firstValue(const LoopText& loop, const std::string& name) const;

  std::shared_ptr<const std::vector<Text>> texts;
  std::shared_ptr<const std::vector<std::map<std::string, std::string>>> macros;  // of units
  std::set<std::string> seen;
  size_t launchPlace = 0;
  mutable size_t current = 0, place = 0;  // text and place in it: what stands behind does not count
  mutable std::set<std::string> active;   // names being looked up, against cycles
  mutable bool asksForArguments = false;  // how many the program has
  mutable bool isForExtents = false;      // what is being looked up: half a value is worse than none
};

}  // namespace hone::device
