// The part of RewriteProgram that finds a place for a plan: in the body of the kernel, or beside it with a
// launch function that the launches in sight call from then on.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "cli/inputs/GivenMacros.h"
#include "cli/inputs/TakeBack.h"
#include "cli/rewrite/CodeWords.h"
#include "cli/rewrite/LaunchCall.h"
#include "cli/rewrite/RewriteProgram.h"
#include "emit/EmitLaunchTemplate.h"
#include "emit/Names.h"
#include "ir/HostIteration.h"
#include "passes/host/ChooseInside.h"
#include "passes/host/PlanEdit.h"

namespace hone::cli {

using frontend::ImportedKernel;
using frontend::ImportedLaunch;
using frontend::KernelDeclaration;

namespace {

// "ns::" of "ns::scale<a::b>" or "(ns::scale)".
std::string qualifierOf(std::string name) {
  while (!name.empty() && name.front() == '(') name.erase(0, 1);
  name = name.substr(0, name.find_first_of("<)"));
  size_t at = name.rfind("::");
  return at == std::string::npos ? "" : name.substr(0, at + 2);
}

// "ns::" of "ns::(anonymous namespace)::scale": what a call from elsewhere writes.
std::string namedScope(const std::string& qualifiedName) {
  std::string scope;
  for (size_t at = 0, end; (end = qualifiedName.find("::", at)) != std::string::npos; at = end + 2)
    if (qualifiedName[at] != '(') scope += qualifiedName.substr(at, end + 2 - at);
  return scope;
}

std::string scopeOf(const std::string& qualifiedName) {
  size_t at = qualifiedName.rfind("::");
  return at == std::string::npos ? "" : qualifiedName.substr(0, at + 2);
}

// A call that stands as a statement of its own, so that nobody looks at its value.
bool isStatement(const std::string& text, const frontend::FileRange& call) {
  size_t next = text.find_first_not_of(" \t\r\n", call.end);
  size_t before = call.begin == 0 ? std::string::npos : text.find_last_not_of(" \t\r\n", call.begin - 1);
  return next != std::string::npos && text[next] == ';' && before != std::string::npos &&
         std::string(";{})").find(text[before]) != std::string::npos;
}

// Types and numbers of the language alone, which no edit elsewhere gives another meaning.
bool arePlainArguments(const std::string& written, const std::vector<std::string>& arguments) {
  auto bare = [](std::string text) {
    std::erase_if(text, [](char c) { return std::isspace(static_cast<unsigned char>(c)); });
    return text;
  };
  static const std::set<std::string> plain = {"void",  "bool",   "char",   "short",    "int",  "long",
                                              "float", "double", "signed", "unsigned", "true", "false"};
  const std::set<std::string> words = codeWords(written);
  return bare(written) == bare(withArguments("", arguments)) &&
         std::all_of(words.begin(), words.end(), [](const std::string& word) {
           return plain.contains(word) || std::isdigit(static_cast<unsigned char>(word.front()));
         });
}

bool isSamePlace(const frontend::FileRange& a, const frontend::FileRange& b) {
  return a.valid() && a.file == b.file && a.begin == b.begin;
}

// Whether launches call a template by their own template arguments.
bool hasLaunchTemplate(const ImportedKernel& kernel, bool doesIterations) {
  const frontend::LaunchTemplate* made = kernel.launchTemplate.get();
  return made && !doesIterations && made->obstacle.empty() && made->body.file == kernel.body.file;
}

bool sameParameters(const ir::Kernel& a, const ir::Kernel& b) {
  return std::equal(a.params.begin(), a.params.end(), b.params.begin(), b.params.end(),
                    [](const ir::VarPtr& x, const ir::VarPtr& y) {
                      return x == y || (x->name == y->name && ir::sameType(x->type, y->type) &&
                                        x->type->isConst == y->type->isConst &&
                                        x->type->isRestrict == y->type->isRestrict);
                    });
}

}  // namespace

void RewriteProgram::placePlan(KernelOutcome& outcome, const ImportedKernel& kernel,
                               const ir::PlanPtr& plan) {
  // Only a loop's launch can go on behind several iterations.
  if (ir::doesIterations(*plan)) return emitBeside(outcome, kernel, *plan);
  const auto* launch = ir::onlyStep<ir::LaunchStep>(*plan);
  if (launch && passes::keepsGeometry(*launch, *plan->original) &&
      sameParameters(*launch->kernel, *plan->original)) {
    // Only a launch function can ask for what other builds may see otherwise and #if cannot see.
    if (launch->kernel != plan->original && takenOf(outcome, kernel).mayVary && canPatchAll(kernel))
      return emitBeside(outcome, kernel, *plan);
    outcome.result = launch->kernel;
    return emitText(outcome, kernel);
  }
  if (ir::KernelPtr inside = passes::chooseInside(*plan); inside && !canPatchAll(kernel)) {
    outcome.result = inside;
    outcome.form = PlanForm::AtEntry;
    return emitText(outcome, kernel);
  }
  emitBeside(outcome, kernel, *plan);
}

bool RewriteProgram::isNeverLaunched(const ImportedKernel& kernel) const {
  if (kernel.addressTaken || !launchesOf(kernel, false).empty()) return false;
  const std::string home = canonicalPath(kernel.body.file);
  return std::any_of(files.begin(), files.end(), [&](const GivenFile& file) {
    return std::any_of(file.import.launches.begin(), file.import.launches.end(),
                       [&](const ImportedLaunch& launch) {
                         if (!launch.launch.loc.valid()) return false;
                         const std::string place = canonicalPath(*launch.launch.loc.file);
                         return place == file.canonical || place == home;
                       });
  });
}

bool RewriteProgram::canPatchAll(const ImportedKernel& kernel) const {
  const std::vector<SeenLaunch> seen = launchesOf(kernel, false);
  return !seen.empty() && !kernel.addressTaken &&
         std::all_of(seen.begin(), seen.end(), [](const SeenLaunch& one) { return one.reason.empty(); });
}

const std::set<std::string>& RewriteProgram::wordsOf(const std::string& file) const {
  auto found = words.find(file);
  if (found == words.end()) found = words.emplace(file, codeWords(originalText(file))).first;
  return found->second;
}

std::string RewriteProgram::freeName(const ImportedKernel& kernel, const frontend::FileRange& body,
                                     const std::vector<std::string>& arguments) {
  const std::string home = canonicalPath(body.file);
  std::string key = fmt::format("{}:{}:{}", home, body.begin, withArguments(kernel.name, arguments));
  auto known = chosenNames.find(key);
  if (known != chosenNames.end()) return known->second;
  auto isTaken = [&](const std::string& name) {
    if (givenNames.contains(name) || wordsOf(home).contains(name)) return true;
    return std::any_of(files.begin(), files.end(), [&](const GivenFile& file) {
      return wordsOf(file.canonical).contains(name) || file.import.macros.contains(name);
    });
  };
  std::string wanted = kernel.name;
  for (const std::string& argument : arguments) wanted += "_" + argument;
  wanted = emit::asIdentifier(wanted);
  std::string name = wanted;
  for (int n = 2; isTaken(name + "_hone") || isTaken(name + "_launch"); ++n)
    name = fmt::format("{}_{}", wanted, n);
  givenNames.insert({name + "_hone", name + "_launch"});
  return chosenNames[key] = name;
}

std::set<std::string> RewriteProgram::namesAround(const std::string& qualifiedName) const {
  std::set<std::string> names;
  auto add = [&](const std::string& space) {
    for (const GivenFile& file : files)
      if (const auto known = file.import.declared.find(space); known != file.import.declared.end())
        names.insert(known->second.begin(), known->second.end());
  };
  add("");
  for (size_t end = qualifiedName.find("::"); end != std::string::npos;
       end = qualifiedName.find("::", end + 2))
    add(qualifiedName.substr(0, end));
  return names;
}

std::string RewriteProgram::launchObstacle(const ImportedKernel& kernel, const ImportedLaunch& launch,
                                           bool doesIterations) const {
  if (hasLaunchTemplate(kernel, doesIterations)) return launch.templateObstacle;
  const frontend::LaunchTemplate* made = kernel.launchTemplate.get();
  if (!made || arePlainArguments(launch.writtenArguments, kernel.templateArgs))
    return launch.defaultsObstacle;
  std::string reason = "its template stands in another file";
  if (doesIterations)
    reason =
        "what does several iterations is made for one instantiation, and it names its template arguments";
  return made->obstacle.empty() ? reason : made->obstacle;
}

std::optional<RewriteProgram::KeptTemplate> RewriteProgram::keptTemplate(const ImportedKernel& kernel) const {
  if (!hasLaunchTemplate(kernel, false)) return std::nullopt;
  const frontend::FileRange& own = kernel.launchTemplate->body;
  // Overloads are told apart by what they stand behind.
  auto isOfAnother = [&](const emit::MarkedBlock& block) {
    return block.begin < own.end ||
           std::any_of(
               files.begin(), files.end(),
               [&](const GivenFile& file) {
                 return std::any_of(file.import.kernels.begin(), file.import.kernels.end(),
                                    [&](const ImportedKernel& other) {
                                      return other.qualifiedName == kernel.qualifiedName &&
                                             other.body.file == own.file && own.end <= other.body.begin &&
                                             other.body.end <= block.begin;
                                    });
               });
  };
  for (const emit::MarkedBlock& block : emit::findMarks(originalText(canonicalPath(own.file))).blocks)
    if (const std::set<std::string> functions = launchFunctions(block.text);
        block.kernel == kernel.qualifiedName && functions.size() == 1 && !isOfAnother(block))
      return KeptTemplate{*functions.begin(), static_cast<unsigned>(block.begin),
                          static_cast<unsigned>(block.end)};
  return std::nullopt;
}

std::vector<SeenLaunch> RewriteProgram::launchesOf(const ImportedKernel& kernel, bool doesIterations) const {
  std::vector<SeenLaunch> found;
  if (kernel.linkageName.empty()) return found;
  // Launches in templates that nothing instantiates count where there are no others.
  const bool onlyUndecided = std::none_of(files.begin(), files.end(), [&](const GivenFile& file) {
    return std::any_of(
        file.import.launches.begin(), file.import.launches.end(),
        [&](const ImportedLaunch& launch) { return launch.linkageName == kernel.linkageName; });
  });
  std::set<std::pair<std::string, unsigned>> known;
  const std::optional<KeptTemplate> kept = doesIterations ? std::nullopt : keptTemplate(kernel);
  for (size_t f = 0; f < files.size(); ++f) {
    const frontend::ImportResult& import = files[f].import;
    const ImportedKernel* own = nullptr;  // as this file sees it
    for (const ImportedKernel& k : import.kernels)
      if (k.linkageName == kernel.linkageName) own = &k;
    if (own && (own->body.file != kernel.body.file || own->body.begin != kernel.body.begin)) continue;
    if (!own && kernel.kernel->isStatic) continue;
    for (const ImportedLaunch& launch : import.launches) {
      const bool isUndecided = launch.linkageName.empty() && kernel.launchTemplate &&
                               isSamePlace(launch.primary, kernel.launchTemplate->body);
      if (launch.linkageName != kernel.linkageName && !(isUndecided && onlyUndecided)) continue;
      if (launch.launch.loc.valid() &&
          !known.insert({*launch.launch.loc.file, launch.launch.loc.line * 4096 + launch.launch.loc.column})
               .second)
        continue;
      SeenLaunch seen{f, &launch, launch.unpatchable, nullptr, !own};
      if (kept && launch.call.file == kernel.launchTemplate->body.file && kept->begin <= launch.call.begin &&
          launch.call.end <= kept->end) {
        seen.isDone = true;
        seen.reason = "";
        found.push_back(std::move(seen));
        continue;
      }
      if (seen.reason.empty() && !mayEdit(canonicalPath(launch.call.file)))
        seen.reason = fmt::format("it stands in an included file; {}", options.mainFilesOnlyHint);
      if (seen.reason.empty() && !launch.seesDefinition) {
        for (const KernelDeclaration& one : import.declarations) {
          const bool before = one.range.file != launch.call.file || one.range.end <= launch.call.begin;
          const bool mayChange = mayEdit(canonicalPath(one.range.file));
          if (one.linkageName == kernel.linkageName && before && mayChange) seen.declaration = &one;
        }
        if (!seen.declaration || kernel.kernel->isExternC || kernel.isTemplate)
          seen.reason = "the kernel's definition does not stand before it";
      }
      for (const std::string& condition : kernel.conditions)
        if (seen.reason.empty() && !launch.conditions.contains(condition)) {
          seen.isOutside = true;
          seen.reason = fmt::format(
              "`#if {}` is around the kernel, and so around a launch function, but not around the launch",
              condition);
        }
      if (const std::string text = launchObstacle(kernel, launch, doesIterations); seen.reason.empty())
        seen.reason = text;
      found.push_back(std::move(seen));
    }
  }
  return found;
}

void RewriteProgram::emitBeside(KernelOutcome& outcome, const ImportedKernel& kernel, const ir::Plan& plan) {
  if (!canPlace(outcome, kernel)) return;
  if (kernel.isOutsideNamespace)
    return leave(
        "it is defined outside its namespace, by its qualified name, where no new kernel can stand beside "
        "it; define it inside",
        outcome);
  const std::string& text = originalText(outcome.file);
  // The words before a body may come out of a macro; then the line of the body decides.
  const bool isWhole = kernel.definition.valid() && canonicalPath(kernel.definition.file) == outcome.file;
  const size_t anchor = isWhole ? kernel.definition.begin : kernel.body.begin;
  emit::EmitOptions emitOptions = optionsAt(outcome, kernel, anchor);
  emitOptions.macros = givenMacros(files);
  emitOptions.arithmeticMacros = arithmeticMacros(files);
  const bool doesIterations = ir::doesIterations(plan);
  std::vector<SeenLaunch> seen = launchesOf(kernel, doesIterations);
  if (doesIterations)
    for (SeenLaunch& one : seen)
      if (one.reason.empty() &&
          !(one.launch->iteration && frontend::isIterationOf(*one.launch->iteration, *plan.original)))
        one.reason = "it stands in no loop that does the iterations of the plan";
  if (options.onlyWhereLaunched && !seen.empty() &&
      std::none_of(seen.begin(), seen.end(), [](const SeenLaunch& one) { return one.reason.empty(); }))
    return leave(fmt::format("none of its launches can use a new kernel beside it: {}", seen.front().reason),
                 outcome, seen.front().launch->launch.loc);
  const std::string name = freeName(kernel, kernel.body, kernel.templateArgs);
  const bool cuda = outcome.language == ir::Language::Cuda;

  emit::PlanSite site;
  site.title = outcome.name;
  site.original = withArguments(kernel.name, kernel.templateArgs);
  site.space = name + "_hone";
  site.launch = name + "_launch";
  const bool isTemplate = cuda && hasLaunchTemplate(kernel, doesIterations);
  const std::optional<KeptTemplate> kept = isTemplate ? keptTemplate(kernel) : std::nullopt;
  if (isTemplate) {
    site.launch = kept ? kept->function : freeName(kernel, kernel.launchTemplate->body, {}) + "_launch";
    site.launchArguments = withArguments("", kernel.templateArgs);
    site.parameterTypes = kernel.parameterTypes;
  }
  if (options.selfCheck && cuda) site.selfCheck = name + "_self_check";
  site.recipe = outcome.recipe;
  site.target = options.target;
  site.macros = emitOptions.macros;
  if (cuda) {
    site.taken = namesAround(outcome.qualifiedName);
  } else {
    site.taken = wordsOf(outcome.file);
    site.taken.insert(givenNames.begin(), givenNames.end());
    auto [own, end] = ownConstants.equal_range(name);
    for (; own != end; ++own) site.taken.erase(own->second);
  }
  site.isStatic = kernel.kernel->isStatic || kernel.isTemplate || isHeaderName(outcome.file);
  site.isExternal = std::any_of(seen.begin(), seen.end(),
                                [](const SeenLaunch& one) { return one.isElsewhere && one.reason.empty(); });
  site.deviceOnly = seen.empty();
  // In `extern "C" __global__ void f()` the definition begins behind the linkage, and what follows it is C++
  // again.
  size_t before = anchor == 0 ? std::string::npos : text.find_last_not_of(" \t\r\n", anchor - 1);
  const bool ownLinkage = isWhole && (text.compare(anchor, 6, "extern") == 0 ||
                                      (before != std::string::npos && text[before] == '"'));
  site.leavesC = cuda && kernel.kernel->isExternC && !ownLinkage;

  emit::PlanText made = emit::emitPlan(plan, site, emitOptions);
  if (!made.ok()) return leave(made.errors.front().reason, outcome, made.errors.front().loc);
  for (const std::string& constant : made.constants) {
    if (givenNames.insert(constant).second) ownConstants.emplace(name, constant);
  }
  const std::string scope = cuda ? scopeOf(kernel.qualifiedName) + site.space + "::" : "";
  for (emit::PlanKernel& k : made.kernels) k.name = scope + k.name;

  outcome.form = PlanForm::Beside;
  outcome.result = made.kernels.empty() ? kernel.kernel : made.kernels.front().kernel;
  if (cuda) outcome.launchFunction = namedScope(kernel.qualifiedName) + site.launch + site.launchArguments;
  const unsigned behind = std::max(kernel.body.end, kernel.newTextAfter);
  auto place = kept && kept->begin >= behind ? kept->end : static_cast<unsigned>(placeAfter(text, behind));
  emit::MarkSite mark = markSite(outcome.file, place);
  mark.indent = indentationOf(text, anchor);
  outcome.edit =
      emit::Edit{outcome.file, place, place, emit::markedInsertion(markName(outcome), made.text, mark)};
  if (isTemplate && !kept) placeLaunchTemplate(outcome, kernel, site.launch);
  if (cuda)
    patchLaunches(outcome, kernel, seen,
                  {site.launch, (site.isExternal ? "" : "static inline ") + made.declaration, isTemplate,
                   doesIterations});
  outcome.planText = std::move(made);
}

void RewriteProgram::placeLaunchTemplate(KernelOutcome& outcome, const ImportedKernel& kernel,
                                         const std::string& name) {
  const frontend::LaunchTemplate& from = *kernel.launchTemplate;
  const std::string& text = originalText(outcome.file);
  emit::EmitOptions emitOptions =
      emitOptionsAt(text, from.definition.begin, styleOf(outcome.file), outcome.language);
  emitOptions.macros = givenMacros(files);
  emit::LaunchTemplateSite site{kernel.name, name, from.head, from.parameters, from.names, from.arguments};
  site.deviceOnly = std::none_of(files.begin(), files.end(), [&](const GivenFile& file) {
    return std::any_of(file.import.launches.begin(), file.import.launches.end(),
                       [&](const ImportedLaunch& launch) { return isSamePlace(launch.primary, from.body); });
  });
  auto place = static_cast<unsigned>(placeAfter(text, from.body.end));
  emit::MarkSite mark = markSite(outcome.file, place);
  mark.indent = indentationOf(text, from.definition.begin);
  outcome.templateEdit = emit::Edit{
      outcome.file, place, place,
      emit::markedInsertion(outcome.qualifiedName, emit::emitLaunchTemplate(site, emitOptions), mark)};
}

emit::Edit RewriteProgram::launchEdit(const std::string& file, const frontend::FileRange& launch,
                                      std::string call) {
  const std::string& text = originalText(file);
  unsigned begin = launch.begin, end = launch.end;
  emit::MarkSite site = markSite(file, begin);
  const size_t line = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;  // npos + 1 is 0
  const auto code = static_cast<unsigned>(line + site.indent.size());
  const std::string before = text.substr(code, begin - code),
                    behind = text.substr(end, std::min(text.find_first_not_of(");", end), text.size()) - end);
  // `check(` and `);` are part of what is marked, which then is whole lines; no other edit begins there.
  const bool isPlain = std::all_of(before.begin(), before.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string("_:()=!&* ").find(c) != std::string::npos;
  });
  auto count = [](const std::string& in, char c) { return std::count(in.begin(), in.end(), c); };
  if (isPlain && count(before, '(') - count(before, ')') == count(behind, ')')) {
    begin = code, end += static_cast<unsigned>(behind.size());
    site = markSite(file, begin);
    call = before + call + behind;
  }
  return {file, begin, end, emit::markedCall(call, text.substr(begin, end - begin), site)};
}

void RewriteProgram::patchLaunches(KernelOutcome& outcome, const ImportedKernel& kernel,
                                   const std::vector<SeenLaunch>& seen, const LaunchFunction& function) {
  for (const SeenLaunch& one : seen) {
    ImportedLaunch launch = *one.launch;
    // A template has the default arguments of its kernel.
    if (!function.isTemplate) {
      launch.arguments += launch.defaults;
      launch.hasArguments = launch.hasArguments || !launch.defaults.empty();
    }
    // The launch function is one of the host.
    LaunchOutcome done{
        launch.launch.loc, one.reason, {}, !one.isOutside && one.reason != frontend::launchInDeviceCode};
    if (one.reason.empty() && !one.isDone) {
      std::string file = canonicalPath(launch.call.file);
      std::string qualifier = qualifierOf(launch.callee);
      if (qualifier.empty()) qualifier = namedScope(kernel.qualifiedName);
      LaunchCallSite site;
      site.function = qualifier + function.name + (function.isTemplate ? launch.writtenArguments : "");
      site.newline = styleOf(file).newline;
      site.indent = indentationOf(originalText(file), launch.call.begin);
      site.step = styleOf(file).useTabs ? "\t" : std::string(styleOf(file).indent, ' ');
      site.taken = givenMacros(files);
      if (function.doesIterations) site.more = launch.iteration->others;
      std::string call = launchCall(launch, site);
      // The loop goes on behind the iterations that were done.
      if (function.doesIterations) call = launch.iteration->counter + " = " + call;
      const std::string& text = originalText(file);
      if (launch.launch.form != ir::Launch::Form::Chevrons && !isStatement(text, launch.call)) {
        // The value is this launch's error. Where the program has left another one unread, which stands
        // before it in cudaPeekAtLastError, the original launch tells them apart.
        call = fmt::format("(cudaPeekAtLastError() == cudaSuccess ? ({}, cudaPeekAtLastError()) : {})", call,
                           text.substr(launch.call.begin, launch.call.end - launch.call.begin));
      } else if (!launch.argumentArray.empty()) {
        // Compilers warn of variables whose values nothing uses.
        call = fmt::format("(void)*{}, {}", launch.argumentArray, call);
      }
      done.edits.push_back(launchEdit(file, launch.call, call));
      if (one.declaration) {
        std::string home = canonicalPath(one.declaration->range.file);
        const std::string& text = originalText(home);
        auto place = static_cast<unsigned>(placeAfter(text, one.declaration->range.end));
        emit::MarkSite mark = markSite(home, place);
        mark.indent = indentationOf(text, one.declaration->range.begin);
        done.edits.push_back(
            {home, place, place, emit::markedInsertion(markName(outcome), function.declaration, mark)});
      }
    }
    outcome.launches.push_back(std::move(done));
  }
}

}  // namespace hone::cli
