// What callers of host functions hand over, and fields of structs, as the host's text has them.
#include <algorithm>
#include <utility>

#include "device/HostFunctions.h"
#include "device/HostText.h"

namespace hone::device {

namespace {

constexpr size_t mostCalls = 8, mostCopies = 8;

// `p->n` as it is asked for.
std::string withDots(std::string path) {
  path = trimmed(path);
  for (size_t at = path.find("->"); at != std::string::npos; at = path.find("->", at))
    path.replace(at, 2, ".");
  return path;
}

// What a parameter by reference or pointer stands for.
std::string withoutAddress(const std::string& argument) {
  std::string out = trimmed(argument);
  if (!out.empty() && (out[0] == '&' || out[0] == '*')) out = trimmed(out.substr(1));
  return out;
}

}  // namespace

const std::string* HostText::macro(const std::string& name) const {
  const auto& known = (*macros)[(*texts)[current].unit];
  const auto found = known.find(name);
  return found == known.end() ? nullptr : &found->second;
}

std::optional<std::vector<HostText::Setting>> HostText::argumentsFor(const std::string& name) const {
  const std::optional<ParameterText> parameter = parameterAt(main(), place, name);
  if (!parameter) return std::nullopt;
  const InForce now = inForce(name);
  if (now.whole && now.whole->text == current && now.whole->at > parameter->head) return std::nullopt;
  std::vector<Setting> out;
  // A copy that the function counts on is not what it got; of a lambda nobody knows who calls it.
  if (parameter->function.empty() || isCountedOn(name, {current, parameter->head})) return out;
  if (parameter->function == "main") {
    if (parameter->nth == 0) {
      out.push_back({current, parameter->head, "1"});  // the program's own name
      asksForArguments = true;
    }
    return out;
  }
  const auto add = [&](size_t t) {
    for (const CallText& call : callsOf((*texts)[t].text, parameter->function)) {
      if (out.size() == mostCalls) break;
      if (call.args.size() > parameter->count) continue;
      const bool isGiven = parameter->nth < call.args.size();
      if (isGiven || !parameter->otherwise.empty())
        out.push_back({t, call.at, isGiven ? call.args[parameter->nth] : parameter->otherwise});
    }
  };
  add(current);
  for (size_t t = 0; t < texts->size(); ++t)
    if (t != current && isOfUnit(t)) add(t);
  for (size_t t = 0; t < texts->size(); ++t)
    if (!isOfUnit(t)) add(t);
  return out;
}

std::optional<StructText> HostText::structOf(const std::string& name) const {
  if (name.empty()) return std::nullopt;
  for (size_t t = 0; t < texts->size(); ++t)
    if (isOfUnit(t))
      if (auto found = structIn((*texts)[t].text, name)) return found;
  return std::nullopt;
}

std::optional<Number> HostText::memberValue(const std::string& base, const std::string& path) const {
  const std::string key = "member " + base + "." + path;
  if (active.contains(key) || active.size() > 30) return std::nullopt;
  const std::string& text = main();
  std::optional<Setting> set;
  std::optional<StructText> type;
  size_t declared = std::string::npos;
  for (const size_t at : placesOf(text, base)) {
    if (at >= place) break;
    if (isDefined(text, at) || !isSeenAt(text, at, place)) continue;
    if (const std::string word = typeAt(text, at); !word.empty())
      if (auto found = structOf(word)) {
        type = std::move(found);
        declared = at;
        set.reset();
        continue;
      }
    const size_t sign = skipBlanks(text, at + base.size());
    const size_t member = text.compare(sign, 2, "->") == 0 ? sign + 2 : sign + 1;
    if (sign >= text.size() || (text[sign] != '.' && member == sign + 1)) {
      // As a whole it becomes another.
      if (sign < text.size() && text[sign] == '=' && text.compare(sign, 2, "==") != 0 && declared < at) {
        std::string other = initializer(text, sign + 1);
        if (isPath(other))
          other += "." + path;
        else
          other.clear();
        set = Setting{current, at, std::move(other)};
      }
      continue;
    }
    if (text.compare(member, path.size(), path) != 0) continue;
    const size_t equals = skipBlanks(text, member + path.size());
    if (equals >= text.size() || isWordChar(text[member + path.size()])) continue;
    if (text[equals] == '=' && text.compare(equals, 2, "==") != 0) {
      // Under a condition it may be what it was before as well.
      const bool isSure = isSureAt(text, at, place);
      if (isSure || !set) set = Setting{current, at, initializer(text, equals + 1)};
    } else if (std::string("+-*/%|&^").find(text[equals]) != std::string::npos &&
               (text.compare(equals + 1, 1, "=") == 0 || text.compare(equals, 2, "++") == 0 ||
                text.compare(equals, 2, "--") == 0)) {
      set = Setting{current, at, ""};
    }
  }
  active.insert(key);
  std::optional<Number> found;
  if (set) {
    // `p.n = 2 * p.n` is what nobody follows.
    if (!set->value.empty()) found = seenFrom(*set, [&](const std::string& now) { return value(now); });
  } else if (const auto arguments = argumentsFor(base)) {
    found = fromCallers(base, *arguments, [&](const std::string& argument) {
      const std::string other = withoutAddress(argument);
      return isPath(other) ? value(withDots(other) + "." + path) : std::nullopt;
    });
  } else if (type) {
    found = seenFrom(Setting{current, declared, ""},
                     [&](const std::string&) { return memberOfNew(*type, base, declared, path); });
  }
  active.erase(key);
  return found;
}

// Of a variable that is declared at `at`.
std::optional<Number> HostText::memberOfNew(const StructText& type, const std::string& base, size_t at,
                                            const std::string& path) const {
  const std::string& text = main();
  const size_t next = skipBlanks(text, at + base.size());
  if (next >= text.size()) return std::nullopt;
  if (text[next] == ';' || text[next] == ',') {
    const StructText::Field* field = type.find(path);
    return field && !field->otherwise.empty() && type.constructors.empty() ? value(field->otherwise)
                                                                           : std::nullopt;
  }
  std::string given;
  if (text[next] == '=') {
    given = initializer(text, next + 1);
    if (isPath(given)) return value(given + "." + path);
    const size_t open = given.find_first_of("{(");
    // Whatever else than the type stands before is a function.
    if (open == std::string::npos || closing(given, open) != given.size()) return std::nullopt;
    const std::string before = trimmed(given.substr(0, open));
    const std::string word = wordBefore(before, before.size());
    const auto called = before.empty() ? std::nullopt : structOf(word);
    const bool isIt = called && called->fields.size() == type.fields.size() &&
                      std::equal(called->fields.begin(), called->fields.end(), type.fields.begin(),
                                 [](const auto& a, const auto& b) { return a.name == b.name; });
    if (!before.empty() && !isIt) return std::nullopt;
    given = given.substr(open);
  } else if (text[next] == '{' || text[next] == '(') {
    const size_t close = closing(text, next);
    if (close == std::string::npos) return std::nullopt;
    given = text.substr(next, close - next);
  }
  if (given.size() < 2) return std::nullopt;
  return memberOfBraces(type, given.substr(1, given.size() - 2), path);
}

std::optional<Number> HostText::memberOfBraces(const StructText& type, const std::string& inside,
                                               const std::string& path) const {
  const std::string name = path.substr(0, path.find('.'));
  const std::string rest = name.size() < path.size() ? path.substr(name.size()) : "";
  const StructText::Field* field = type.find(name);
  if (!field) return std::nullopt;
  const std::vector<std::string> args = splitArguments(inside);
  const auto valueOf = [&](const std::string& text) -> std::optional<Number> {
    if (!rest.empty() && !isPath(text)) return std::nullopt;
    return value(withDots(text) + rest);
  };
  if (args.size() == 1 && isPath(args[0]) && type.fields.size() > 1)
    if (const auto copied = value(withDots(args[0]) + "." + path)) return copied;
  if (!args.empty() && args[0].starts_with('.')) {
    for (const std::string& one : args)
      if (declaredName(one) == name) return valueOf(declaredValue(one));
  } else if (!type.constructors.empty()) {
    return rest.empty() ? memberOfConstructor(type, args, name) : std::nullopt;
  } else if (!type.isPlain || args.size() > type.fields.size()) {
    return std::nullopt;
  } else {
    for (size_t i = 0; i < args.size(); ++i) {
      if (type.fields[i].isArray && !args[i].starts_with('{')) return std::nullopt;
      if (type.fields[i].name == name) return valueOf(args[i]);
    }
  }
  if (!rest.empty()) return std::nullopt;
  return field->otherwise.empty() ? wholeNumber(0) : value(field->otherwise);
}

std::optional<Number> HostText::memberOfConstructor(const StructText& type,
                                                    const std::vector<std::string>& args,
                                                    const std::string& field) const {
  for (const ConstructorText& one : type.constructors) {
    if (one.params.size() != args.size()) continue;
    const auto set = one.fields.find(field);
    if (set == one.fields.end()) return std::nullopt;
    Names inner = names();
    inner.value = [&](const std::string& word) -> std::optional<Number> {
      for (size_t i = 0; i < args.size(); ++i)
        if (one.params[i] == word) return value(args[i]);
      return nameValue(word);
    };
    return evaluate(set->second, inner).value;
  }
  return std::nullopt;
}

std::optional<HostText::Setting> HostText::copiedFrom(const std::string& path) const {
  const size_t dot = path.find('.');
  const std::string base = path.substr(0, dot), rest = dot == std::string::npos ? "" : path.substr(dot);
  const auto copy = [&](const Setting& from, const std::string& more) -> std::optional<Setting> {
    const std::string other = withoutAddress(from.value);
    if (!isPath(other)) return std::nullopt;
    return Setting{from.text, from.at, withDots(other) + more};
  };
  if (rest.empty()) {
    if (const InForce now = inForce(base); now.whole && now.whole->text == current)
      return copy(*now.whole, "");
  } else {
    for (const std::string& sign : {std::string("."), std::string("->")}) {
      std::optional<Setting> last;
      for (const size_t at : placesOf(main(), base)) {
        const size_t end = at + base.size() + sign.size() + rest.size() - 1;
        if (at >= place || main().compare(at + base.size(), sign.size(), sign) != 0 ||
            main().compare(at + base.size() + sign.size(), rest.size() - 1, rest, 1) != 0)
          continue;
        const size_t equals = skipBlanks(main(), end);
        if (equals < main().size() && main()[equals] == '=' && main().compare(equals, 2, "==") != 0 &&
            isSeenAt(main(), at, place) && isSureAt(main(), at, place))
          last = Setting{current, at, initializer(main(), equals + 1)};
      }
      if (last) return copy(*last, "");
    }
  }
  if (const auto arguments = argumentsFor(base); arguments && !arguments->empty())
    return copy(arguments->front(), rest);
  return std::nullopt;
}

void HostText::decide(const std::string& path, const Number& number) {
  const size_t before = place, text = current;
  std::string name = withDots(path);
  for (size_t i = 0; i < mostCopies; ++i) {
    if (i > 0 && (macro(name) || isSettled(name))) break;  // a constant stays one
    overrides[name] = number;
    const std::optional<Setting> from = copiedFrom(name);
    if (!from) break;
    name = from->value, place = from->at, current = from->text;
  }
  place = before, current = text;
}

}  // namespace hone::device
