// Whether what the host's text says of a launch is all that the launch can have.
#include <algorithm>
#include <cctype>

#include "device/HostReads.h"
#include "device/HostText.h"

namespace hone::device {

HostText::InForce HostText::inForce(const std::string& name) const {
  InForce out;
  for (const size_t at : placesOf(main(), name)) {
    if (at >= place) break;
    if (isDefined(main(), at)) continue;
    const Usage usage = usageAt(main(), at, name);
    if (usage.use == Use::Read) continue;
    const bool isSeen = isSeenAt(main(), at, place);
    const bool isSure = isSeen && usage.use == Use::Set && isSureAt(main(), at, place);
    if (isSure && usage.axis < 0) {
      out = {.whole = Setting{current, at, usage.value}, .fields = {}, .isSettled = true};
    } else if (isSure && out.whole) {
      out.fields[static_cast<size_t>(usage.axis)] = Setting{current, at, usage.value};
    } else if (usage.isDeclared) {
      if (isSeen) out = {};  // another variable from here on
    } else if (out.whole && isSeenAt(main(), out.whole->at, at)) {
      out.isSettled = false;
    }
  }
  if (!out.whole) return inForceOutside(name);
  out.isSettled = out.isSettled && !isChangedBehind(name, *out.whole);
  return out;
}

// Of the files that the one with the launch includes.
HostText::InForce HostText::inForceOutside(const std::string& name) const {
  InForce out;
  size_t count = 0;
  for (size_t t = 0; t < texts->size(); ++t) {
    if (t == current || !isOfUnit(t)) continue;
    const std::string& text = (*texts)[t].text;
    for (const size_t at : placesOf(text, name)) {
      if (isDefined(text, at)) continue;
      const Usage usage = usageAt(text, at, name);
      if (usage.use != Use::Set || usage.axis >= 0 || !isOutside(text, at)) continue;
      out.whole = Setting{t, at, usage.value};
      ++count;
    }
  }
  out.isSettled = count == 1 && !isChangedAnywhere(name, *out.whole);
  return out;
}

bool HostText::isChangedAnywhere(const std::string& name, const Setting& whole) const {
  const std::string& own = (*texts)[whole.text].text;
  const size_t begin = whole.at == 0 ? std::string::npos : own.find_last_of(";{}", whole.at - 1);
  const std::string lead = own.substr(begin == std::string::npos ? 0 : begin + 1,
                                      whole.at - (begin == std::string::npos ? 0 : begin + 1));
  const bool isConstant = !placesOf(lead, "const").empty() || !placesOf(lead, "constexpr").empty();
  for (size_t t = 0; t < texts->size(); ++t) {
    const std::string& text = (*texts)[t].text;
    for (const size_t at : placesOf(text, name)) {
      if ((t == whole.text && at == whole.at) || isDefined(text, at)) continue;
      const Usage usage = usageAt(text, at, name);
      // A parameter or variable of the function that launches hides it.
      if (usage.isDeclared && t == current && at < place && isSeenAt(text, at, place) && !isOutside(text, at))
        return true;
      if (usage.use != Use::Read && !usage.isDeclared && !isConstant) return true;
    }
  }
  return false;
}

bool HostText::isChangedBehind(const std::string& name, const Setting& whole) const {
  if (isOutside(main(), whole.at)) return isChangedAnywhere(name, whole);
  const std::vector<LoopText> loops = loopsAround(main(), place);
  for (const size_t at : placesOf(main(), name)) {
    if (at < place || isDefined(main(), at)) continue;
    const Usage usage = usageAt(main(), at, name);
    if (usage.use == Use::Read || usage.isDeclared || !isSeenAt(main(), whole.at, at)) continue;
    // Another iteration comes by, and not by where it is set.
    for (const LoopText& loop : loops)
      if (at < loop.end && whole.at < loop.body) return true;
  }
  return false;
}

bool HostText::isSettled(const std::string& expression) const {
  for (size_t at = 0; at < expression.size();) {
    if (!isWordChar(expression[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < expression.size() && isWordChar(expression[end])) ++end;
    const std::string word = expression.substr(at, end - at);
    const bool isMember = isMemberAt(expression, at);
    const size_t next = skipBlanks(expression, end);
    const bool isCall = next < expression.size() && expression[next] == '(';
    const bool isScope = expression.compare(next, 2, "::") == 0;
    const bool isNumber = std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    at = end;
    if (isNumber || isScope) continue;
    if (isMember) {
      if (word != "x" && word != "y" && word != "z") return false;
      continue;
    }
    if (isCall ? !isSettledCall(word) : !isSettledName(word)) return false;
  }
  return true;
}

bool HostText::isSettledCall(const std::string& name) const {
  const auto function = functionOf(name);
  if (!function) return !isFunctionInSight(name);  // one that is known by its name, or there is no value
  const std::string key = "settled " + name + "()";
  if (!function->isWhole || active.contains(key) || active.size() > 30) return false;
  active.insert(key);
  // Its parameters are settled where they are handed over.
  HostText inner = *this;
  for (const std::string& param : function->params) inner.overrides.emplace(param, wholeNumber(1));
  if (!function->isMacro) inner.place = function->returned.at, inner.current = function->returned.text;
  const bool isIt = inner.isSettled(function->returned.value);
  active.erase(key);
  return isIt;
}

bool HostText::isSettledName(const std::string& name) const {
  static const std::set<std::string> types = {
      "int",  "unsigned", "long",   "short", "size_t",  "char",    "float",    "bool",     "double", "sizeof",
      "dim3", "uint",     "signed", "const", "int32_t", "int64_t", "uint32_t", "uint64_t", "true",   "false"};
  if (overrides.contains(name) || types.contains(name)) return true;
  const std::string key = "settled " + name;
  if (active.contains(key) || active.size() > 30) return false;
  active.insert(key);
  const auto isSettledAt = [&](const Setting& setting) {
    return seenFrom(setting, [&](const std::string& text) {
      const bool hasValue = value(text) || extents(text);
      return hasValue && isSettled(text);
    });
  };
  bool isIt = false;
  if (const std::string* settled = macro(name)) {
    isIt = !isRedefined(name) && isSettled(*settled);
  } else {
    const InForce now = inForce(name);
    if (now.whole) {
      isIt = now.isSettled && isOnlySetting(name, now) && isSettledAt(*now.whole) &&
             std::all_of(now.fields.begin(), now.fields.end(),
                         [&](const auto& field) { return !field || isSettledAt(*field); });
    } else {
      std::vector<std::string> defined;
      for (size_t t = 0; t < texts->size(); ++t)
        for (const std::string& text = (*texts)[t].text; const size_t at : placesOf(text, name))
          if (isOfUnit(t) && isDefined(text, at)) defined.push_back(restOfLine(text, at + name.size()));
      isIt =
          defined.size() == 1 && !isRedefined(name) && value(defined.front()) && isSettled(defined.front());
    }
  }
  active.erase(key);
  return isIt;
}

}  // namespace hone::device
