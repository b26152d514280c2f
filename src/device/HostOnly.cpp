// Whether a variable, a macro or a function of the host's text is one alone, and is set but once.
#include <algorithm>

#include "device/HostFunctions.h"
#include "device/HostReads.h"
#include "device/HostText.h"

namespace hone::device {

namespace {

// Where the outermost function or class around a place begins, namespaces apart; npos: it is in none.
size_t outermostBlock(const std::string& text, size_t at) {
  size_t out = std::string::npos;
  for (size_t open = blockAround(text, at); open != std::string::npos; open = blockAround(text, open)) {
    if (isOutside(text, open + 1)) break;
    out = open;
  }
  return out;
}

bool isWholeType(const std::string& words) {
  for (const char* other : {"float", "double", "char", "short", "bool", "half", "8_t", "16_t"})
    if (words.find(other) != std::string::npos) return false;
  for (const char* known : {"int", "unsigned", "long", "size_t", "dim3", "uint", "auto", "uint32_t",
                            "int64_t", "uint64_t", "int32_t", "T"})
    if (!placesOf(words, known).empty()) return words.find('*') == std::string::npos;
  return false;
}

// Whether a variable of a block or a parameter is declared there.
bool isAnotherAt(const std::string& text, size_t at, const std::string& name) {
  const auto declared = declaredAt(text, at, name);
  if (!declared || !declared->isKnownType) return false;
  const std::string lead = leadOf(text, at);
  const bool isParameter =
      std::count(lead.begin(), lead.end(), '(') > std::count(lead.begin(), lead.end(), ')');
  return isParameter || !isOutside(text, at);
}

}  // namespace

bool HostText::isFunctionInSight(const std::string& name) const {
  for (size_t t = 0; t < texts->size(); ++t) {
    if (!isOfUnit(t)) continue;
    const std::string& text = (*texts)[t].text;
    for (const size_t at : placesOf(text, name)) {
      if (isDefined(text, at)) return true;
      const size_t open = skipBlanks(text, at + name.size());
      const size_t close = open < text.size() && text[open] == '(' ? closing(text, open) : std::string::npos;
      if (close == std::string::npos) continue;
      const size_t body = skipBlanks(text, close);
      if (body < text.size() && (text[body] == '{' || text[body] == ';') && isDeclaration(text, at))
        return true;
    }
  }
  return false;
}

std::optional<HostText::Function> HostText::functionOf(const std::string& name) const {
  std::optional<Function> found;
  for (size_t t = 0; t < texts->size(); ++t) {
    if (!isOfUnit(t)) continue;
    const std::string& text = (*texts)[t].text;
    for (const size_t at : placesOf(text, name)) {
      Function one;
      one.isMacro = isDefined(text, at);
      const size_t open = one.isMacro ? at + name.size() : skipBlanks(text, at + name.size());
      const size_t close = open < text.size() && text[open] == '(' ? closing(text, open) : std::string::npos;
      if (close == std::string::npos) continue;
      const size_t body = skipBlanks(text, close);
      if (!one.isMacro && (body >= text.size() || text[body] != '{')) continue;
      one.isWhole = one.isMacro || isWholeType(leadOf(text, at));
      for (std::string& param : splitArguments(text.substr(open + 1, close - open - 2))) {
        const std::string word = wordBefore(param, param.size());
        one.isWhole =
            one.isWhole && (one.isMacro || isWholeType(param.substr(0, param.size() - word.size())));
        one.params.push_back(word);
      }
      const size_t first = one.isMacro ? close : skipBlanks(text, body + 1);
      if (!one.isMacro && wordBefore(text, std::min(first + 6, text.size())) != "return") return std::nullopt;
      one.returned = {t, first, one.isMacro ? restOfLine(text, close) : initializer(text, first + 6)};
      if (found && (found->params != one.params || found->returned.value != one.returned.value ||
                    !one.isMacro || !found->isMacro))
        return std::nullopt;  // which of them is meant is not for the text to say
      found = std::move(one);
    }
  }
  return found;
}

bool HostText::isRedefined(const std::string& name) const {
  for (size_t t = 0; t < texts->size(); ++t)
    for (const std::string& text = (*texts)[t].text; const size_t at : placesOf(text, name))
      if (isOfUnit(t) && wordBefore(text, skipBlanksBack(text, at)) == "undef") return true;
  return false;
}

std::string HostText::typeOf(const std::string& name, const Setting& setting) const {
  const std::string& text = (*texts)[setting.text].text;
  std::string out;
  for (const size_t at : placesOf(text, name)) {
    if (at > setting.at) break;
    if (isDefined(text, at) || !isSeenAt(text, at, setting.at)) continue;
    if (const auto declared = declaredAt(text, at, name))
      out = declared->isKnownType && !declared->isOther ? declared->type : "";
  }
  return out;
}

// Whether another by this name comes between the declaration and the launch.
bool HostText::isHidden(const std::string& name, size_t from, size_t declared) const {
  const bool isSame = from == current;
  const bool isGlobal = isOutside((*texts)[from].text, declared);
  if (const auto parameter = parameterAt(main(), place, name);
      parameter && (!isSame || parameter->head > declared))
    return true;
  for (const size_t at : placesOf(main(), name)) {
    if ((isSame && at <= declared) || isDefined(main(), at) || isInDirective(main(), at)) continue;
    if (at < place && isSeenAt(main(), at, place) &&
        (isBindingAt(main(), at) || (declaredAt(main(), at, name) && !isOutside(main(), at))))
      return true;
    // Members count wherever they stand in the class.
    if (isGlobal && isInClass(main(), at) && isSeenAt(main(), blockAround(main(), at) + 1, place) &&
        declaredAt(main(), at, name))
      return true;
  }
  if (!isGlobal) return false;
  // A function of a class that is defined elsewhere may mean a member.
  const size_t body = outermostBlock(main(), place);
  if (body == std::string::npos) return true;
  const std::string head = leadOf(main(), body);
  const size_t scope = head.find("::"), open = head.find('(');
  if (scope == std::string::npos || open == std::string::npos || scope > open) return false;
  return std::any_of(texts->begin(), texts->end(), [&](const Text& one) {
    const std::vector<size_t> places = placesOf(one.text, name);
    return std::any_of(places.begin(), places.end(), [&](size_t at) { return isInClass(one.text, at); });
  });
}

bool HostText::isReadOnly(const std::string& name, const InForce& now, size_t declared) const {
  const std::string& own = (*texts)[now.whole->text].text;
  const bool isGlobal = isOutside(own, declared);
  const size_t block = isGlobal ? std::string::npos : blockAround(own, declared);
  if (!isGlobal && block == std::string::npos) return false;
  const size_t end = isGlobal ? own.size() : closing(own, block);
  if (end == std::string::npos) return false;
  std::vector<const std::string*> all;
  for (size_t t = 0; t < texts->size(); ++t)
    if ((*texts)[t].unit == (*texts)[now.whole->text].unit) all.push_back(&(*texts)[t].text);
  for (const Text& one : *texts) {
    const std::vector<size_t> places = placesOf(one.text, name);
    std::vector<size_t> hiding;
    for (const size_t at : places)
      if ((&one.text != &own || at > declared) && (isGlobal || (&one.text == &own && at < end)))
        if (isAnotherAt(one.text, at, name)) hiding.push_back(at);
    for (const size_t at : places) {
      if (isInDirective(one.text, at)) return false;  // what a macro does with it is not followed
      const bool isOwn = &one.text == &own;
      if (!isGlobal && (!isOwn || at < declared || at >= end)) continue;
      if (isOwn && (at == declared || at == now.whole->at)) continue;
      const bool isOfField = std::any_of(now.fields.begin(), now.fields.end(), [&](const auto& field) {
        return field && isOwn && field->text == now.whole->text && field->at == at;
      });
      if (isOfField && isStatementAt(one.text, at) && !isInSwitch(one.text, at)) continue;
      const bool isAnother = std::any_of(hiding.begin(), hiding.end(), [&](size_t other) {
        return other <= at && isSeenAt(one.text, other, at);
      });
      if (isAnother) continue;
      const bool mayReturn = !isGlobal && !isInLambda(own, declared, at);
      if (!isPlainRead(one.text, at, name, all, mayReturn)) return false;
    }
  }
  return true;
}

bool HostText::isOnlySetting(const std::string& name, const InForce& now) const {
  const std::string& text = (*texts)[now.whole->text].text;
  size_t declared = now.whole->at;
  auto what = declaredAt(text, declared, name);
  if (!what) {  // one assignment, to what has no value yet
    if (!isStatementAt(text, declared) || isInSwitch(text, declared)) return false;
    for (const size_t at : placesOf(text, name)) {
      if (at >= now.whole->at) break;
      if (!isSeenAt(text, at, now.whole->at)) continue;
      if (auto one = declaredAt(text, at, name)) what = std::move(one), declared = at;
    }
    if (!what || what->hasValue || text[skipBlanks(text, declared + name.size())] == ')') return false;
    if (isInLambda(text, declared, now.whole->at)) return false;
  }
  if (!what->isKnownType || what->isOther || isHidden(name, now.whole->text, declared)) return false;
  if (isInClass(text, declared)) return what->isConstexpr || (what->isStatic && what->isConst);
  if (what->isConst) return true;
  const bool isGlobal = isOutside(text, declared);
  if (what->isStatic && !isGlobal) return false;
  if (now.whole->text == current && !isGlobal && isInLambda(text, declared, place)) return false;
  if (!isGlobal) {
    const size_t body = outermostBlock(text, declared);
    const size_t end = body == std::string::npos ? body : closing(text, body);
    if (end == std::string::npos || !placesOf(text.substr(body, end - body), "goto").empty()) return false;
  }
  return isReadOnly(name, now, declared);
}

}  // namespace hone::device
