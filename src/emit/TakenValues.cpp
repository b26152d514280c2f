#include "emit/TakenValues.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "emit/CudaPlan.h"
#include "ir/Walk.h"

namespace hone::emit {

using namespace ir;

namespace {

// What a literal means as a number; nothing for what does not fit.
std::optional<int64_t> numberOf(const Expr& e, const IntLiteral& l) {
  if (e.type->is(TypeKind::Bool)) return static_cast<int64_t>(l.value & 1);
  if (!e.type->is(TypeKind::Int) || e.type->bits == 0 || e.type->bits > 64) return std::nullopt;
  const unsigned spare = 64 - e.type->bits;
  if (e.type->isSigned) return static_cast<int64_t>(l.value << spare) >> spare;
  const uint64_t value = l.value << spare >> spare;
  if (value > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(value);
}

std::set<std::string> wordsOf(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else {
      if (!word.empty() && !std::isdigit(static_cast<unsigned char>(word[0]))) words.insert(word);
      word.clear();
    }
  }
  return words;
}

}  // namespace

std::string TakenValues::assertion(Language language) const {
  if (code.empty()) return "";
  return std::string(language == Language::OpenCL ? "_Static_assert(" : "static_assert(") + code +
         ", \"made by hone for these values: run it again for others\");\n";
}

TakenValues takenValues(const Kernel& original, const std::set<std::string>& macros,
                        const EmitOptions& options) {
  std::map<std::string, std::optional<int64_t>> values;  // nothing: not one number
  auto note = [&](const std::string& name, std::optional<int64_t> number) {
    if (!macros.contains(name)) return;
    auto [known, isNew] = values.emplace(name, number);
    if (!isNew && known->second != number) known->second.reset();
  };
  std::map<std::string, int64_t> extents;
  // Nothing has to be said where the macros in it are, or where it names what only the kernel knows.
  auto isSaid = [&](const std::string& text) {
    std::set<std::string> ownNames, unsaid;
    for (const TemplateArg& a : original.templateArgs) ownNames.insert(a.param);
    for (const std::string& macro : macros)
      if (auto known = values.find(macro); known == values.end() || !known->second) unsaid.insert(macro);
    return hasWordOf(text, ownNames) || !hasWordOf(text, unsaid);
  };
  std::set<const Function*> seen;
  std::function<void(const StmtPtr&)> look = [&](const StmtPtr& body) {
    if (!body) return;
    walkStmts(body, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>())
        for (TypePtr t = d->var->type; t; t = t->element)
          if (t->extent >= 0) {
            note(t->extentName, t->extent);
            extents.emplace(t->extentName, t->extent);
          }
    });
    walkExprs(body, [&](const Expr& e) {
      if (const auto* l = e.as<IntLiteral>()) note(l->name, numberOf(e, *l));
      const auto* call = e.as<Call>();
      if (call && call->function && seen.insert(call->function.get()).second) look(call->function->body);
    });
  };
  look(original.body);
  TakenValues taken;
  auto add = [&](const std::string& one, const std::set<std::string>& names, bool mayVary) {
    const bool canAsk = std::includes(options.arithmeticMacros.begin(), options.arithmeticMacros.end(),
                                      names.begin(), names.end());
    std::string& test = canAsk ? taken.directive : taken.code;
    test += (test.empty() ? "" : " && ") + one;
    taken.mayVary = taken.mayVary || (!canAsk && mayVary);
  };
  for (const auto& [name, value] : values)
    if (value) add(name + " == " + std::to_string(*value), {name}, true);
  for (const auto& [text, value] : extents)
    if (options.keepNamedConstants && !isSaid(text))
      add("(" + text + ") == " + std::to_string(value), wordsOf(text), true);
  for (const BuildCondition& one : original.reliesOn)
    if (one.isDirective)
      taken.directive += (taken.directive.empty() ? "" : " && ") + one.text;
    else
      add(one.text, wordsOf(one.text), one.mayVary);
  return taken;
}

}  // namespace hone::emit
