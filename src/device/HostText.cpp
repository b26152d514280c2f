#include "device/HostText.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "device/HostReads.h"

namespace hone::device {

namespace fs = std::filesystem;

HostText::HostText(const std::string& path, unsigned line, std::map<std::string, std::string> known,
                   unsigned column, const std::map<std::string, std::string>& instead,
                   const std::vector<HostFile>& others) {
  std::vector<Text> read;
  std::vector<std::map<std::string, std::string>> units = {std::move(known)};
  load(path, 0, instead, 0, read);
  if (read.empty()) read.emplace_back();
  for (const HostFile& other : others) {
    seen.clear();  // what both include is of both
    load(other.path, 0, other.instead, units.size(), read);
    units.push_back(other.macros);
  }
  macros = std::make_shared<const std::vector<std::map<std::string, std::string>>>(std::move(units));
  texts = std::make_shared<const std::vector<Text>>(std::move(read));
  place = launchPlace = placeOf(line, column);
}

size_t HostText::placeOf(unsigned line, unsigned column) const {
  size_t at = 0;
  for (unsigned l = 1; l < line && at != std::string::npos; ++l) {
    at = main().find('\n', at);
    if (at != std::string::npos) ++at;
  }
  at = std::min(at, main().size());
  for (unsigned c = 1; c < column && at < main().size() && main()[at] != '\n'; ++c) ++at;
  return at;
}

HostText HostText::from(unsigned line, unsigned column) const {
  HostText out = *this;
  out.place = out.launchPlace = placeOf(line, column);
  return out;
}

void HostText::load(const std::string& path, unsigned depth,
                    const std::map<std::string, std::string>& instead, size_t unit, std::vector<Text>& into) {
  std::error_code error;
  std::string full = fs::weakly_canonical(path, error).string();
  if (depth > 6 || into.size() > 40 || !seen.insert(full).second) return;
  if (!fs::is_regular_file(path, error)) return;  // to open a pipe is to wait for who writes to it
  std::string raw;
  if (const auto other = instead.find(full); other != instead.end()) {
    raw = other->second;
  } else {
    std::ifstream in(path, std::ios::binary);
    if (!in) return;
    raw.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  std::vector<std::string> includes;
  for (size_t at : placesOf(raw, "include")) {
    size_t open = skipBlanks(raw, at + 7);
    if (at == 0 || open >= raw.size() || raw[open] != '"') continue;
    size_t close = raw.find('"', open + 1);
    if (close != std::string::npos) includes.push_back(raw.substr(open + 1, close - open - 1));
  }
  into.push_back({blanked(std::move(raw)), unit});
  for (const std::string& include : includes)
    load((fs::path(path).parent_path() / include).string(), depth + 1, instead, unit, into);
}

Names HostText::names() const {
  return {[this](const std::string& name) { return nameValue(name); },
          [this](const std::string& name, std::span<const Number> args) { return callValue(name, args); }};
}

std::optional<Number> HostText::value(const std::string& expression) const {
  return evaluate(expression, names()).value;
}

bool HostText::isDefault(const std::string& expression) const {
  const bool before = std::exchange(asksForArguments, false);
  if (!value(expression)) extents(expression);
  return std::exchange(asksForArguments, before);
}

std::vector<HostText::Setting> HostText::settingsOf(const std::string& name) const {
  std::vector<Setting> out, before, behind, outside;
  for (size_t t = 0; t < texts->size(); ++t) {
    if (!isOfUnit(t)) continue;
    const std::string& text = (*texts)[t].text;
    for (const size_t at : placesOf(text, name)) {
      if (isDefined(text, at)) {
        const size_t after = at + name.size();
        if (after < text.size() && text[after] != '(') outside.push_back({t, at, restOfLine(text, after)});
        continue;
      }
      const Usage usage = usageAt(text, at, name);
      if (usage.use != Use::Set || usage.axis >= 0 || usage.value.empty()) continue;
      (t != current ? outside : at < place ? before : behind).push_back({t, at, usage.value});
    }
  }
  const InForce now = inForce(name);
  // Heads of loops around are what it is set in last.
  const std::vector<LoopText> loops = loopsAround(main(), place);
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop)
    for (const Setting& one : before)
      if (loop->head < one.at && one.at < loop->body && !(now.whole && now.whole->at > one.at))
        out.push_back(one);
  const auto isPositive = [&](const Setting& one) {
    const std::optional<Number> found = seenFrom(one, [&](const std::string& text) { return value(text); });
    return !found || found->asReal() > 0;
  };
  if (now.whole && now.whole->text == current) {
    // Both branches of a choice set it, or it is set to nothing at first.
    const bool isLastElse = !before.empty() && before.back().at > now.whole->at &&
                            isSeenAt(main(), now.whole->at, before.back().at) &&
                            isUnderElse(main(), before.back().at);
    if (isLastElse) out.push_back(before.back());
    if (!now.isSettled && !isPositive(*now.whole))
      for (auto one = before.rbegin(); one != before.rend() && one->at > now.whole->at; ++one)
        if (isSeenAt(main(), now.whole->at, one->at) && isPositive(*one)) out.push_back(*one);
    out.push_back(*now.whole);
  }
  out.insert(out.end(), before.rbegin(), before.rend());
  out.insert(out.end(), outside.begin(), outside.end());
  // What stands after the launch may still be it: the caller of the function that launches, under the same
  // name.
  out.insert(out.end(), behind.rbegin(), behind.rend());
  return out;
}

bool HostText::isCountedOn(const std::string& name, const Setting& setting) const {
  if (setting.text != current || setting.at >= place) return false;
  const std::vector<LoopText> loops = loopsAround(main(), place);
  for (const size_t at : placesOf(main(), name)) {
    if (at <= setting.at || isDefined(main(), at)) continue;
    if (at >= place) break;
    const Usage usage = usageAt(main(), at, name);
    const bool counts = usage.use == Use::Counted || (isForExtents && usage.use == Use::Handed);
    if (!counts || !isSeenAt(main(), setting.at, at)) continue;
    const bool isInHead = std::any_of(loops.begin(), loops.end(),
                                      [&](const LoopText& loop) { return loop.head < at && at < loop.body; });
    if (!isInHead || isForExtents) return true;
  }
  return false;
}

bool HostText::isHandedOn(const std::string& name, const Setting& setting) const {
  if (setting.text != current) return false;
  for (const size_t at : placesOf(main(), name)) {
    if (at <= setting.at || isDefined(main(), at)) continue;
    if (at >= place) break;
    if (usageAt(main(), at, name).use == Use::Handed && isSeenAt(main(), setting.at, at)) return true;
  }
  return false;
}

std::optional<Number> HostText::nameValue(const std::string& name) const {
  if (auto given = overrides.find(name); given != overrides.end()) return given->second;
  if (active.contains(name) || active.size() > 30) return std::nullopt;
  active.insert(name);
  std::optional<Number> found;
  const size_t dot = name.rfind('.');
  if (dot != std::string::npos && name.size() == dot + 2 &&
      std::string("xyz").find(name[dot + 1]) != std::string::npos) {
    found = memberValue(name.substr(0, dot), name.substr(dot + 1));
    if (!found)
      if (auto all = namedExtents(name.substr(0, dot)))
        found = (*all)[static_cast<size_t>(name[dot + 1] - 'x')];
  } else if (const std::string* settled = macro(name)) {
    if (!isRedefined(name)) found = value(*settled);
  } else if (dot != std::string::npos) {
    found = memberValue(name.substr(0, name.find('.')), name.substr(name.find('.') + 1));
  } else {
    if (turn != Turn::First) found = turnValue(name);
    const auto arguments = found ? std::nullopt : argumentsFor(name);
    if (arguments)
      found = fromCallers(name, *arguments, [&](const std::string& text) { return value(text); });
    if (!found && (!arguments || arguments->empty()))
      for (const Setting& setting : settingsOf(name)) {
        found = seenFrom(setting, [&](const std::string& text) { return value(text); });
        if (!found) continue;
        found = keptIn(typeOf(name, setting), *found);
        if (isCountedOn(name, setting)) found.reset();
        break;
      }
  }
  active.erase(name);
  return found;
}

std::optional<Number> HostText::callValue(const std::string& name, std::span<const Number> args) const {
  std::string key = name + "()";
  if (active.contains(key) || active.size() > 30) return std::nullopt;
  if (const auto function = functionOf(name); function && function->params.size() == args.size()) {
    active.insert(key);
    Names inner = names();
    inner.value = [&](const std::string& word) -> std::optional<Number> {
      for (size_t i = 0; i < args.size(); ++i)
        if (function->params[i] == word) return args[i];
      return nameValue(word);
    };
    const auto look = [&](const std::string& text) { return evaluate(text, inner).value; };
    const auto result =
        function->isMacro ? look(function->returned.value) : seenFrom(function->returned, look);
    active.erase(key);
    if (result) return result;
  }
  static const std::set<std::string> ceilings = {
      "divup",   "idivup",     "divideup",   "divroundup", "ceildiv",    "iceildiv", "ceildivide",
      "divceil", "divideceil", "ceilingdiv", "divrndup",   "intceildiv", "idivceil"};
  std::string lower;
  for (const char c : name)
    if (c != '_') lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ceilings.contains(lower) && args.size() == 2 && args[1].asWhole() > 0)
    return wholeNumber((args[0].asWhole() + args[1].asWhole() - 1) / args[1].asWhole());
  return std::nullopt;
}

std::optional<std::array<Number, 3>> HostText::extents(const std::string& expression) const {
  const bool before = std::exchange(isForExtents, true);
  const std::optional<std::array<Number, 3>> found = extentsOf(expression);
  isForExtents = before;
  return found;
}

std::optional<std::array<Number, 3>> HostText::extentsOf(const std::string& expression) const {
  std::string text = trimmed(expression);
  for (const char* other : {"make_uint3", "make_int3", "uint3", "int3"})
    if (text.starts_with(other) && !isWordChar(text[std::min(text.size() - 1, std::strlen(other))]))
      text.replace(0, std::strlen(other), "dim3");
  if (text.starts_with('{')) text = "dim3" + text;
  std::array<Number, 3> out{wholeNumber(1), wholeNumber(1), wholeNumber(1)};
  if (text.starts_with("dim3")) {
    size_t open = skipBlanks(text, 4);
    if (open >= text.size() || (text[open] != '(' && text[open] != '{')) return std::nullopt;
    size_t close = closing(text, open);
    if (close != text.size()) return std::nullopt;
    std::vector<std::string> parts = splitArguments(text.substr(open + 1, close - open - 2));
    if (parts.size() > 3) return std::nullopt;
    if (parts.size() == 1)
      if (auto one = extents(parts[0])) return one;  // dim3(grid)
    for (size_t i = 0; i < parts.size(); ++i) {
      auto one = value(parts[i]);
      if (!one) return std::nullopt;
      out[i] = *one;
    }
    return out;
  }
  if (isName(text) && !overrides.contains(text))
    if (auto named = namedExtents(text)) return named;
  if (auto returned = returnedExtents(text)) return returned;
  auto one = value(text);
  if (!one) return std::nullopt;
  out[0] = *one;
  return out;
}

// Of a function that does nothing but return a dim3.
std::optional<std::array<Number, 3>> HostText::returnedExtents(const std::string& call) const {
  const size_t open = call.find('(');
  if (open == std::string::npos || closing(call, open) != call.size() || !isName(call.substr(0, open)))
    return std::nullopt;
  const std::string name = call.substr(0, open), key = name + "()";
  const auto function = functionOf(name);
  const std::vector<std::string> args = splitArguments(call.substr(open + 1, call.size() - open - 2));
  if (!function || function->params.size() != args.size() || active.contains(key)) return std::nullopt;
  const std::string& body = function->returned.value;
  if (!body.starts_with("dim3") && !body.starts_with('{')) return std::nullopt;
  HostText inner = *this;
  inner.active.insert(key);
  for (size_t i = 0; i < args.size(); ++i) {
    const std::optional<Number> given = value(args[i]);
    if (!given) return std::nullopt;
    inner.overrides[function->params[i]] = *given;
  }
  if (!function->isMacro) inner.place = function->returned.at, inner.current = function->returned.text;
  return inner.extentsOf(body);
}

std::optional<std::array<Number, 3>> HostText::namedExtents(const std::string& name) const {
  const std::string key = "dim3 " + name;
  if (active.contains(key) || active.size() > 30) return std::nullopt;
  active.insert(key);
  std::optional<std::array<Number, 3>> found;
  if (const std::string* settled = macro(name)) {
    if (!isRedefined(name)) found = extentsOf(*settled);
    active.erase(key);
    return found;
  }
  if (const auto arguments = argumentsFor(name); arguments && !arguments->empty()) {
    found = fromCallers(name, *arguments, [&](const std::string& text) { return extentsOf(text); });
    active.erase(key);
    return found;
  }
  std::optional<Setting> whole;
  for (const Setting& setting : settingsOf(name)) {
    if (setting.text == current && setting.at >= place) continue;
    found = seenFrom(setting, [&](const std::string& text) { return extentsOf(text); });
    if (!found) continue;
    whole = setting;
    (*found)[0] = keptIn(typeOf(name, setting), (*found)[0]);
    if (isCountedOn(name, setting) || isHandedOn(name, setting)) found.reset();
    break;
  }
  if (found && whole->text == current)
    for (const size_t at : placesOf(main(), name)) {
      if (at <= whole->at || isDefined(main(), at)) continue;
      if (at >= place) break;
      const Usage usage = usageAt(main(), at, name);
      if (usage.use != Use::Set || usage.axis < 0) continue;
      const Setting field{current, at, usage.value};
      const auto extent = seenFrom(field, [&](const std::string& text) { return value(text); });
      if (!extent) {  // what it was before is not what is launched
        found.reset();
        break;
      }
      (*found)[static_cast<size_t>(usage.axis)] = *extent;
    }
  active.erase(key);
  return found;
}

}  // namespace hone::device
