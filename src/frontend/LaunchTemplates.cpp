#include "frontend/LaunchTemplates.h"

#include <algorithm>
#include <tuple>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/WrittenText.h"
#include "llvm/Support/raw_ostream.h"

namespace hone::frontend {

using namespace clang;

namespace {

bool hasDefault(const NamedDecl& parameter, bool own) {
  auto is = [&](const auto* p) {
    return p && p->hasDefaultArgument() && !(own && p->defaultArgumentWasInherited());
  };
  return is(dyn_cast<TemplateTypeParmDecl>(&parameter)) ||
         is(dyn_cast<NonTypeTemplateParmDecl>(&parameter)) ||
         is(dyn_cast<TemplateTemplateParmDecl>(&parameter));
}

bool hasDefault(const ParmVarDecl& parameter, bool own) {
  return parameter.hasDefaultArg() && !(own && parameter.hasInheritedDefaultArg());
}

/// The declaration whose own text has all default arguments; null: they stand in several.
const FunctionTemplateDecl* withDefaults(const FunctionTemplateDecl& definition) {
  auto hasAll = [&](const FunctionTemplateDecl& one) {
    const TemplateParameterList &wanted = *definition.getTemplateParameters(),
                                &own = *one.getTemplateParameters();
    const FunctionDecl &fn = *definition.getTemplatedDecl(), &declared = *one.getTemplatedDecl();
    for (unsigned i = 0; i < wanted.size(); ++i)
      if (hasDefault(*wanted.getParam(i), false) && !hasDefault(*own.getParam(i), true)) return false;
    for (unsigned i = 0; i < fn.getNumParams(); ++i)
      if (hasDefault(*fn.getParamDecl(i), false) && !hasDefault(*declared.getParamDecl(i), true))
        return false;
    return true;
  };
  if (hasAll(definition)) return &definition;
  for (const RedeclarableTemplateDecl* one : definition.redecls())
    if (const auto* fn = cast<FunctionTemplateDecl>(one); hasAll(*fn)) return fn;
  return nullptr;
}

void removeWord(std::string& text, const std::string& word) {
  if (const size_t at = text.find(word); at != std::string::npos) text.erase(at, word.size());
}

/// Fills in all but the ranges; returns what is in the way.
std::string readTemplate(LaunchTemplate& out, const FunctionTemplateDecl& definition,
                         const UnitImporter& unit) {
  const FunctionTemplateDecl* written = withDefaults(definition);
  if (!written) return "the default arguments of its template stand in several declarations";
  const TemplateParameterList& list = *written->getTemplateParameters();
  const FunctionDecl& fn = *written->getTemplatedDecl();
  if (list.getRequiresClause() || fn.getTrailingRequiresClause()) return "its template has a requires clause";
  const std::string angles = writtenAngles(unit, list.getLAngleLoc());
  if (angles.empty()) return "the parameters of its template are not written where it stands";
  out.head = "template " + angles;
  std::erase(out.head, '\r');
  bool isOpen = true;  // further arguments can be written
  for (const NamedDecl* parameter : list) {
    if (parameter->getName().empty()) {
      if (!hasDefault(*parameter, true)) return "a parameter of its template has no name";
      isOpen = false;  // this and those behind it have their defaults
    } else if (isOpen) {
      out.arguments += (out.arguments.empty() ? "" : ", ") + parameter->getNameAsString();
    }
  }
  for (const ParmVarDecl* parameter : fn.parameters()) {
    std::string text = writtenText(unit, parameter->getSourceRange()), name = parameter->getNameAsString();
    if (text.empty()) return "the parameters of its template are not written where it stands";
    if (name.empty()) {
      if (parameter->hasDefaultArg() || text.find_first_of("([") != std::string::npos)
        return "a parameter of its template has no name";
      name = "argument_" + std::to_string(out.names.size() + 1);
      text += " " + name;
    }
    removeWord(text, "__grid_constant__");
    std::erase(text, '\r');
    out.parameters.push_back(text);
    out.names.push_back(name);
  }
  const auto hasDirective = [](const std::string& text) { return text.find('#') != std::string::npos; };
  if (hasDirective(out.head) || std::any_of(out.parameters.begin(), out.parameters.end(), hasDirective))
    return "lines of the preprocessor stand among the parameters of its template";
  return "";
}

}  // namespace

FileRange templateBody(const FunctionDecl& fn, const UnitImporter& unit) {
  const FunctionTemplateDecl* primary = fn.getPrimaryTemplate();
  if (!primary) primary = fn.getDescribedFunctionTemplate();
  const FunctionDecl* definition = primary ? primary->getTemplatedDecl()->getDefinition() : nullptr;
  if (!definition || !definition->getBody()) return {};
  return unit.fileRange(definition->getBody()->getBeginLoc(), definition->getBody()->getEndLoc());
}

std::string parameterText(const ParmVarDecl& parameter, const std::string& name, const UnitImporter& unit) {
  PrintingPolicy policy(unit.ast.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  policy.FullyQualifiedName = true;
  policy.SuppressTagKeyword = true;
  std::string text;
  auto print = [&](QualType type) {
    text.clear();
    llvm::raw_string_ostream stream(text);
    type.print(stream, policy, name);
  };
  print(parameter.getType());
  // A name that depends on the template is no name outside of it.
  if (text.find("typename ") != std::string::npos) print(parameter.getType().getCanonicalType());
  for (size_t at = 0; (at = text.find(" *__restrict ", at)) != std::string::npos;)
    text.replace(at, 13, "* __restrict__ ");
  for (size_t at = 0; (at = text.find(" *", at)) != std::string::npos;) text.replace(at, 2, "* ");
  return text;
}

void describeLaunchTemplate(ImportedKernel& k, const FunctionDecl& fn, const UnitImporter& unit) {
  const FunctionTemplateDecl* primary = fn.getPrimaryTemplate();
  if (!primary) return;
  auto made = std::make_shared<LaunchTemplate>();
  made->body = templateBody(fn, unit);
  const FunctionDecl* definition = primary->getTemplatedDecl()->getDefinition();
  const FunctionTemplateDecl* pattern = definition ? definition->getDescribedFunctionTemplate() : nullptr;
  if (made->body.valid() && pattern) {
    made->definition = unit.fileRange(unit.sources.getExpansionLoc(pattern->getSourceRange().getBegin()),
                                      definition->getBody()->getEndLoc());
    made->obstacle = readTemplate(*made, *pattern, unit);
  } else {
    made->obstacle = "its template has no body in sight";
  }
  k.launchTemplate = std::move(made);
  for (const ParmVarDecl* parameter : fn.parameters())
    k.parameterTypes.push_back(parameterText(*parameter, std::string(1, parameterName), unit));
}

std::map<std::string, int64_t> templateNumbers(const DeclContext* place) {
  std::map<std::string, int64_t> numbers;
  for (; place; place = place->getParent()) {
    const TemplateParameterList* names = nullptr;
    const TemplateArgumentList* values = nullptr;
    if (const auto* fn = dyn_cast<FunctionDecl>(place); fn && fn->getPrimaryTemplate()) {
      names = fn->getPrimaryTemplate()->getTemplateParameters();
      values = fn->getTemplateSpecializationArgs();
    } else if (const auto* record = dyn_cast<ClassTemplateSpecializationDecl>(place)) {
      names = record->getSpecializedTemplate()->getTemplateParameters();
      values = &record->getTemplateArgs();
    }
    for (unsigned i = 0; names && values && i < names->size() && i < values->size(); ++i)
      if (const TemplateArgument& value = values->get(i);
          value.getKind() == TemplateArgument::Integral && value.getAsIntegral().getSignificantBits() <= 64)
        numbers.emplace(names->getParam(i)->getNameAsString(), value.getAsIntegral().getExtValue());
  }
  return numbers;
}

void joinLaunches(std::vector<ImportedLaunch>& launches) {
  std::map<std::tuple<std::string, unsigned, unsigned>, std::vector<size_t>> places;
  for (size_t i = 0; i < launches.size(); ++i)
    if (const FileRange& call = launches[i].call; call.valid())
      places[{call.file, call.begin, call.end}].push_back(i);
  std::set<size_t> gone;
  for (const auto& [place, all] : places) {
    std::vector<size_t> kept;
    const bool isKnown =
        std::any_of(all.begin(), all.end(), [&](size_t i) { return !launches[i].linkageName.empty(); });
    // What is known without instantiating anything comes first.
    for (const bool isInstantiated : {false, true})
      for (size_t i : all) {
        const ImportedLaunch& one = launches[i];
        if (one.isInstantiated != isInstantiated) continue;
        if ((isKnown && one.linkageName.empty()) || std::any_of(kept.begin(), kept.end(), [&](size_t other) {
              return launches[other].linkageName == one.linkageName;
            }))
          gone.insert(i);
        else
          kept.push_back(i);
      }
    if (all.size() < 2) continue;
    ImportedLaunch joined;
    joined.isFixed = {true, true, true, true};
    for (size_t i : all) {
      const ImportedLaunch& one = launches[i];
      if (isKnown && one.linkageName.empty()) continue;  // a template knows less than its instantiations
      joined.orderMatters = joined.orderMatters || one.orderMatters;
      for (size_t part = 0; part < 4; ++part)
        joined.isFixed[part] = joined.isFixed[part] && one.isFixed[part];
      if (joined.unpatchable.empty()) joined.unpatchable = one.unpatchable;
    }
    const ImportedLaunch& first = launches[kept.front()];
    for (size_t i : kept) {
      const ImportedLaunch& one = launches[i];
      const bool isSame = one.linkageName == first.linkageName ||
                          (one.primary.valid() && one.primary.file == first.primary.file &&
                           one.primary.begin == first.primary.begin);
      if (!isSame && joined.unpatchable.empty())
        joined.unpatchable = "template parameters decide which of several kernels it launches";
    }
    for (size_t i : kept) {
      ImportedLaunch& one = launches[i];
      one.orderMatters = joined.orderMatters;
      one.isFixed = joined.isFixed;
      one.unpatchable = joined.unpatchable;
      if (kept.size() > 1) one.iteration = nullptr;
    }
  }
  std::vector<ImportedLaunch> rest;
  for (size_t i = 0; i < launches.size(); ++i)
    if (!gone.contains(i)) rest.push_back(std::move(launches[i]));
  launches = std::move(rest);
}

}  // namespace hone::frontend
