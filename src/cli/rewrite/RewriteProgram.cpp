#include "cli/rewrite/RewriteProgram.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/inputs/GivenMacros.h"
#include "ir/Compare.h"
#include "ir/Error.h"
#include "ir/Nearest.h"

namespace hone::cli {

namespace fs = std::filesystem;
using frontend::ImportedKernel;

RewriteProgram::RewriteProgram(const std::vector<GivenFile>& given, RewriteOptions wanted)
    : files(given), options(std::move(wanted)) {
  if (options.headersToEdit) editableHeaders = options.headersToEdit(files);
}

bool RewriteProgram::mayEdit(const std::string& file) const {
  return !options.mainFilesOnly || editableHeaders.contains(file) ||
         std::any_of(files.begin(), files.end(), [&](const GivenFile& one) { return one.canonical == file; });
}

emit::EmitOptions RewriteProgram::optionsAt(const KernelOutcome& outcome, const ImportedKernel& kernel,
                                            size_t at) {
  emit::EmitOptions made =
      emitOptionsAt(originalText(outcome.file), at, styleOf(outcome.file), outcome.language);
  made.keepNamedConstants = !outcome.withoutNames;
  if (options.lineNotes && kernel.loc.valid()) made.lineNotesOf = *kernel.loc.file;
  return made;
}

const std::string& RewriteProgram::originalText(const std::string& file) const {
  for (const GivenFile& given : files)
    if (auto known = given.takenBack.find(file); known != given.takenBack.end()) return known->second;
  return currentText(file);
}

const std::string& RewriteProgram::currentText(const std::string& file) const {
  auto found = texts.find(file);
  if (found == texts.end()) found = texts.emplace(file, readFile(file)).first;
  return found->second;
}

void RewriteProgram::run() {
  collect();
  leaveOverlapping();
  if (options.recheck) checkReadsBack();
}

void RewriteProgram::collect() {
  using Key = std::tuple<std::string, unsigned, std::string, std::string>;
  std::map<Key, size_t> known;
  // Read before plans are chosen, which takes its time: what is edited from now on is not overwritten.
  for (const GivenFile& file : files) {
    currentText(file.canonical);
    for (const ImportedKernel& kernel : file.import.kernels)
      if (kernel.body.valid() && !kernel.isInSystemHeader) currentText(canonicalPath(kernel.body.file));
  }

  for (size_t f = 0; f < files.size(); ++f) {
    for (const ImportedKernel& kernel : files[f].import.kernels) {
      if (kernel.isInSystemHeader) continue;
      if (!isWanted(kernel, options.kernels)) continue;
      KernelOutcome outcome;
      outcome.name = withArguments(kernel.name, kernel.templateArgs);
      outcome.qualifiedName = kernel.qualifiedName;
      outcome.templateArgs = kernel.templateArgs;
      outcome.loc = kernel.loc;
      outcome.file = kernel.body.valid()  ? canonicalPath(kernel.body.file)
                     : kernel.loc.valid() ? canonicalPath(*kernel.loc.file)
                                          : files[f].canonical;
      outcome.language = files[f].import.module.language;
      outcome.isTemplate = kernel.isTemplate;
      outcome.isUninstantiated = kernel.isUninstantiated;
      decide(outcome, files[f], kernel);
      outcome.views = {{f, kernel.kernel, outcome.result, &kernel, outcome.plan, outcome.planText.kernels}};
      unsigned place = kernel.body.valid() ? kernel.body.begin : kernel.loc.line;
      Key key{outcome.file, place, outcome.qualifiedName, outcome.name};
      auto [at, isNew] = known.emplace(key, list.size());
      if (isNew)
        list.push_back(std::move(outcome));
      else
        merge(list[at->second], outcome);
    }
  }

  // A template that one of the files instantiates is spoken for by its instantiations.
  std::set<std::pair<std::string, std::string>> instantiated;
  for (const KernelOutcome& outcome : list)
    if (outcome.isTemplate && !outcome.isUninstantiated)
      instantiated.insert({outcome.file, outcome.qualifiedName});
  std::erase_if(list, [&](const KernelOutcome& outcome) {
    return outcome.isUninstantiated && instantiated.contains({outcome.file, outcome.qualifiedName});
  });
}

std::string whyLeftAlone(const ImportedKernel& kernel) {
  std::string reason;
  if (!kernel.kernel)
    reason = kernel.reason;
  else if (kernel.fromMacro)
    reason = "its definition comes out of a macro, so there is no text of its own to replace";
  else if (!kernel.body.valid())
    reason = "its body is not one piece of text in one file";
  else if (kernel.isTemplate && kernel.specializationHead.empty())
    reason = kernel.specializationRefusal;
  return reason;
}

void RewriteProgram::decide(KernelOutcome& outcome, const GivenFile& file, const ImportedKernel& kernel) {
  outcome.reasonLoc = kernel.loc;
  if (const std::string by = options.leftBy ? options.leftBy(outcome.file, kernel) : ""; !by.empty())
    return leave("by " + by, outcome);
  if (kernel.reasonLoc.valid()) outcome.reasonLoc = kernel.reasonLoc;
  if (const std::string text = whyLeftAlone(kernel); !text.empty()) return leave(text, outcome);
  if (!mayEdit(outcome.file))
    return leave(fmt::format("it stands in an included file; {}", options.mainFilesOnlyHint), outcome);
  if (options.onlyWhereLaunched && outcome.language == ir::Language::Cuda && kernel.addressTaken &&
      launchesOf(kernel, false).empty())
    return leave(
        "no launch names it: its address is taken, and a launch through a pointer cannot be changed; "
        "--kernel with its "
        "name, or --offer, has it rewritten all the same",
        outcome);
  if (options.onlyWhereLaunched && outcome.language == ir::Language::Cuda && isNeverLaunched(kernel))
    return leave(
        "nothing in the files at hand launches it; --kernel with its name, or --offer, has it rewritten all "
        "the same",
        outcome);

  ir::PlanPtr plan = ir::originalPlan(kernel.kernel);
  if (options.make) {
    MadePlan made = options.make(file, kernel);
    outcome.remarks = made.result.remarks;
    outcome.isShown = made.isShown;
    outcome.recipe = made.recipe;
    outcome.verified = made.verified;
    outcome.speedup = made.speedup;
    outcome.share = made.share;
    outcome.atSizes = made.atSizes;
    if (const passes::Obstacle& no = made.result.refusal) {
      outcome.refusedBy = made.result.refusedBy;
      return leave(no->reason, outcome, no->place);
    }
    plan = made.result.plan;
  }
  outcome.plan = plan;
  placePlan(outcome, kernel, plan);
}

void keepNotes(KernelOutcome& outcome) {
  std::erase_if(outcome.remarks,
                [](const passes::Remark& remark) { return remark.kind == passes::RemarkKind::Done; });
  outcome.speedup.reset();
}

void RewriteProgram::leave(std::string reason, KernelOutcome& outcome, const ir::SourceLoc& loc) const {
  outcome.result = nullptr;
  outcome.edit.reset();
  outcome.templateEdit.reset();
  outcome.launches.clear();
  keepNotes(outcome);
  outcome.reason = std::move(reason);
  if (loc.valid()) outcome.reasonLoc = loc;
}

const TextStyle& RewriteProgram::styleOf(const std::string& file) {
  if (!styles.contains(file)) styles[file] = detectStyle(originalText(file));
  return styles[file];
}

bool RewriteProgram::canPlace(KernelOutcome& outcome, const ImportedKernel& kernel) {
  const std::string& text = originalText(outcome.file);
  if (kernel.body.end <= text.size() && kernel.body.begin < kernel.body.end && text[kernel.body.begin] == '{')
    return true;
  leave("the file changed while hone read it", outcome);
  return false;
}

void RewriteProgram::emitText(KernelOutcome& outcome, const ImportedKernel& kernel) {
  const std::string& text = originalText(outcome.file);
  if (!canPlace(outcome, kernel)) return;
  const TextStyle& style = styleOf(outcome.file);
  size_t anchor = kernel.definition.valid() && canonicalPath(kernel.definition.file) == outcome.file
                      ? kernel.definition.begin
                      : kernel.body.begin;
  emit::EmitOptions emitOptions = optionsAt(outcome, kernel, anchor);
  const bool isChanged = outcome.result != kernel.kernel && !ir::equal(*outcome.result, *kernel.kernel);
  if (!isChanged && options.make) return;  // a recipe that does nothing changes no line
  if (!isChanged && kernel.conditionalLine != 0)
    return leave(
        "#if inside the kernel body: printed again, it would lose the text that this build leaves out",
        outcome, {kernel.loc.file, kernel.conditionalLine, 1});
  emit::TakenValues taken;
  if (isChanged) {
    emitOptions.macros = givenMacros(files);
    taken = takenOf(outcome, kernel);
  }
  if (taken.mayVary && isHeaderName(outcome.file))
    return leave(
        fmt::format("it stands in a header, and new text in its place would hold only where {}; other "
                    "files may see that otherwise",
                    taken.code),
        outcome);
  emit::EmitResult body =
      emit::emitBodyAfter(taken.assertion(outcome.language), *outcome.result, emitOptions);
  if (!body.ok()) return leave(body.errors.front().reason, outcome, body.errors.front().loc);
  if (!kernel.isTemplate) {
    if (isChanged)
      replaceBody(outcome, kernel, body.text, taken.directive);
    else if (text.compare(kernel.body.begin, kernel.body.end - kernel.body.begin, body.text) != 0)
      outcome.edit = emit::Edit{outcome.file, kernel.body.begin, kernel.body.end, body.text};
    return;
  }
  if (kernel.isOutsideNamespace)
    return leave(
        "its template is defined outside its namespace, where it cannot be specialized; define it inside",
        outcome);
  // A specialization is no template any more: every file that includes it would define it.
  if (!kernel.kernel->isStatic && isHeaderName(outcome.file))
    return leave(
        "a template in a header: an explicit specialization would be defined in every file that includes it",
        outcome);
  std::string indent = indentationOf(text, anchor), head;
  for (char c : kernel.specializationHead) head += c == '\n' ? style.newline + indent : std::string(1, c);
  auto place = static_cast<unsigned>(placeAfter(text, std::max(kernel.definition.end, kernel.newTextAfter)));
  const std::string made =
      fmt::format("// {2}, made from the template above.{0}{3}{0}{1}{4} {5}{0}#endif", style.newline, indent,
                  outcome.name, emit::guardLine(taken.directive), head, body.text);
  outcome.edit = emit::Edit{outcome.file, place, place,
                            emit::markedInsertion(markName(outcome), made, markSite(outcome.file, place))};
}

emit::TakenValues RewriteProgram::takenOf(const KernelOutcome& outcome, const ImportedKernel& kernel) const {
  emit::EmitOptions asked;
  asked.keepNamedConstants = !outcome.withoutNames;
  asked.arithmeticMacros = arithmeticMacros(files);
  return emit::takenValues(*kernel.kernel, givenMacros(files), asked);
}

void RewriteProgram::replaceBody(KernelOutcome& outcome, const ImportedKernel& kernel,
                                 const std::string& body, const std::string& condition) {
  const unsigned begin = kernel.body.begin + 1, end = kernel.body.end - 1;  // between the braces
  std::string lines = body.substr(1, body.size() - 2);
  const size_t first = lines.find('\n');
  lines.erase(0, first == std::string::npos ? 0 : first + 1);
  const size_t last = lines.find_last_not_of(" \t");
  const std::string closing = last == std::string::npos ? lines : lines.substr(last + 1);
  lines.erase(lines.size() - closing.size());
  while (lines.ends_with('\n') || lines.ends_with('\r')) lines.pop_back();
  emit::MarkSite site = markSite(outcome.file, begin);
  const TextStyle& style = styleOf(outcome.file);
  site.condition = condition;
  site.indent = closing + (style.useTabs ? "\t" : std::string(style.indent, ' '));
  outcome.edit = emit::Edit{outcome.file, begin, end,
                            emit::markedBody(markName(outcome), lines,
                                             originalText(outcome.file).substr(begin, end - begin), site) +
                                closing};
}

std::string RewriteProgram::markName(const KernelOutcome& outcome) {
  return withArguments(outcome.qualifiedName, outcome.templateArgs);
}

emit::MarkSite RewriteProgram::markSite(const std::string& file, size_t at) {
  const std::string& text = originalText(file);
  emit::MarkSite site;
  site.newline = styleOf(file).newline;
  site.indent = indentationOf(text, at);
  site.lineEnds = lineEndAt(text, at, styleOf(file)).empty();
  const size_t line = at - std::min(at, text.rfind('\n', at - (at > 0)) + 1);  // npos + 1 is 0
  site.ownLine = line == site.indent.size() && !emit::isContinued(text.substr(0, at - line));
  return site;
}

void RewriteProgram::merge(KernelOutcome& known, const KernelOutcome& other) {
  known.views.insert(known.views.end(), other.views.begin(), other.views.end());
  if (!known.result) return;
  if (!other.result) return leave(other.reason, known, other.reasonLoc);
  std::string mine = known.edit ? known.edit->text : "", theirs = other.edit ? other.edit->text : "";
  if (mine != theirs)
    leave(fmt::format("{} and {} see it differently (macros or types differ), so no one text serves both",
                      files[known.views.front().file].path, files[other.views.front().file].path),
          known);
}

// Two kernels on one text (a file included twice under different macros) cannot both have it.
void RewriteProgram::leaveOverlapping() {
  std::map<std::tuple<std::string, unsigned>, std::vector<size_t>> byPlace;
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].edit && list[i].edit->begin < list[i].edit->end)
      byPlace[{list[i].file, list[i].edit->begin}].push_back(i);
  for (const auto& [place, together] : byPlace) {
    const std::string text = list[together.front()].edit->text;
    bool same =
        std::all_of(together.begin(), together.end(), [&](size_t i) { return list[i].edit->text == text; });
    if (same) continue;
    for (size_t i : together) {
      size_t other = i == together.front() ? together.back() : together.front();
      leave(fmt::format("its text also makes kernel `{}`, which reads differently", list[other].name),
            list[i]);
    }
  }
}

std::map<std::string, std::string> RewriteProgram::patched(const std::vector<size_t>& active) const {
  emit::PatchSet patch;
  for (size_t i : active) {
    if (list[i].templateEdit) patch.add(*list[i].templateEdit);
    if (list[i].edit) patch.add(*list[i].edit);
    for (const LaunchOutcome& launch : list[i].launches)
      for (const emit::Edit& edit : launch.edits) patch.add(edit);
  }
  std::map<std::string, std::string> out;
  for (const std::string& file : patch.files()) out[file] = patch.apply(file, originalText(file));
  return out;
}

std::map<std::string, std::string> RewriteProgram::changedFiles() const {
  std::vector<size_t> active;
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].edit) active.push_back(i);
  std::map<std::string, std::string> out = patched(active);
  for (const GivenFile& file : files)
    for (const auto& [name, text] : file.takenBack) out.emplace(name, text);
  std::erase_if(out, [&](const auto& file) { return file.second == currentText(file.first); });
  return out;
}

}  // namespace hone::cli
