// The part of RewriteProgram that re-imports what it made: nothing goes out that does not read back as the
// same kernel.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <tuple>

#include "cli/rewrite/RewriteProgram.h"
#include "ir/Compare.h"
#include "ir/NormalForm.h"
#include "sim/memory/FreedMemory.h"

namespace hone::cli {

namespace fs = std::filesystem;
using frontend::ImportedKernel;
using frontend::ImportResult;

namespace {

constexpr size_t noKernel = SIZE_MAX;

size_t errorCount(const ImportResult& import) {
  return static_cast<size_t>(
      std::count_if(import.diagnostics.begin(), import.diagnostics.end(),
                    [](const auto& it) { return it.severity >= frontend::Severity::Error; }));
}

// The first error that the original did not have.
std::string newError(const ImportResult& before, const ImportResult& after) {
  for (const auto& it : after.diagnostics) {
    if (it.severity < frontend::Severity::Error) continue;
    bool isOld = std::any_of(before.diagnostics.begin(), before.diagnostics.end(), [&](const auto& old) {
      return old.severity >= frontend::Severity::Error && old.text == it.text;
    });
    if (!isOld) return fmt::format("line {}: {}", it.line, it.text);
  }
  return "more errors than before";
}

// The file a kernel stands in; one that comes out of a macro has no body range.
std::string homeOf(const ImportedKernel& kernel) {
  if (kernel.body.valid()) return canonicalPath(kernel.body.file);
  return kernel.loc.valid() ? canonicalPath(*kernel.loc.file) : "";
}

std::tuple<unsigned, unsigned> placeIn(const ImportedKernel& kernel) {
  return {kernel.loc.line, kernel.loc.column};
}

// The kernels of an import by what they stand for: name, arguments and file; overloads follow in source
// order.
class KernelIndex {
 public:
  explicit KernelIndex(const ImportResult& import) {
    for (const ImportedKernel& kernel : import.kernels)
      if (!kernel.isUninstantiated)
        byKey[key(kernel.qualifiedName, kernel.templateArgs, homeOf(kernel))].push_back(&kernel);
    for (auto& [name, kernels] : byKey)
      std::sort(kernels.begin(), kernels.end(),
                [](const ImportedKernel* a, const ImportedKernel* b) { return placeIn(*a) < placeIn(*b); });
  }
  const std::vector<const ImportedKernel*>& namesakes(const KernelOutcome& outcome) const {
    return named(outcome.qualifiedName, outcome.templateArgs, outcome.file);
  }
  const std::vector<const ImportedKernel*>& named(const std::string& name,
                                                  const std::vector<std::string>& args,
                                                  const std::string& file) const {
    static const std::vector<const ImportedKernel*> none;
    auto found = byKey.find(key(name, args, file));
    return found == byKey.end() ? none : found->second;
  }

 private:
  std::map<std::string, std::vector<const ImportedKernel*>> byKey;
  static std::string key(const std::string& name, const std::vector<std::string>& args,
                         const std::string& file) {
    return withArguments(name, args) + "\n" + file;
  }
};

// What is different about two kernels; empty: nothing.
std::string difference(const ir::Kernel& wanted, const ir::Kernel& found) {
  std::string why;
  ir::Kernel a = wanted, b = found;
  a.body = ir::withoutRoles(a.body);
  if (ir::equal(a, b, &why)) return "";
  a.body = ir::normalForm(a.body);
  b.body = ir::normalForm(b.body);
  if (ir::equal(a, b, &why)) return "";
  return why.empty() ? "it differs" : why;
}

// Why the kernel does not read back as `wanted`; empty: it does.
std::string compare(const KernelOutcome& outcome, const KernelView& view, const ir::Kernel& wanted,
                    const KernelIndex& before, const KernelIndex& after) {
  const auto &old = before.namesakes(outcome), &now = after.namesakes(outcome);
  if (old.size() != now.size()) return "it is not found again";
  for (size_t i = 0; i < old.size(); ++i) {
    if (old[i]->kernel != view.original) continue;
    if (!now[i]->kernel) return now[i]->reason;
    return difference(wanted, *now[i]->kernel);
  }
  return "it is not found again";
}

// The same for the kernels that a plan put beside the original, which must be what it was.
std::string comparePlan(const KernelOutcome& outcome, const KernelView& view, const KernelIndex& before,
                        const KernelIndex& after) {
  // A template whose launches all call the launch function may have no instantiation left.
  if (!outcome.isTemplate || !after.namesakes(outcome).empty())
    if (std::string why = compare(outcome, view, *view.original, before, after); !why.empty())
      return "the original changed: " + why;
  for (const emit::PlanKernel& added : view.added) {
    const auto& found = after.named(added.name, {}, outcome.file);
    if (found.size() != 1) return added.name + " is not found";
    if (!found[0]->kernel) return found[0]->reason;
    if (std::string why = difference(*added.kernel, *found[0]->kernel); !why.empty()) return why;
  }
  return "";
}

const KernelView* viewOf(const KernelOutcome& outcome, size_t file) {
  for (const KernelView& view : outcome.views)
    if (view.file == file) return &view;
  return nullptr;
}

}  // namespace

std::map<std::string, std::string> RewriteProgram::partsOf(
    size_t file, const std::map<std::string, std::string>& changed) const {
  auto known = included.find(file);
  if (known == included.end()) {
    known = included.emplace(file, std::set<std::string>{files[file].canonical}).first;
    for (const std::string& name : files[file].import.included) known->second.insert(canonicalPath(name));
  }
  std::map<std::string, std::string> out;
  for (const auto& [name, text] : changed)
    if (known->second.contains(name)) out.emplace(name, text);
  return out;
}

std::map<size_t, std::string> RewriteProgram::readBack(const std::vector<size_t>& active) const {
  std::map<size_t, std::string> wrong;
  std::map<std::string, std::string> contents = patched(active);
  if (contents.empty()) return wrong;
  for (size_t f = 0; f < files.size(); ++f) {
    if (!files[f].partOf.empty()) continue;  // it is read with the other
    // Texts that are what they were read to be need no parsing, which takes seconds for some.
    const std::map<std::string, std::string> parts = partsOf(f, contents);
    const auto well = readBackWell.find(f);
    if (parts.empty() || (well != readBackWell.end() && well->second == parts)) continue;
    frontend::SourceRequest request = files[f].request;
    for (const auto& [name, text] : contents) {
      if (name == files[f].canonical)
        request.contents = text;
      else
        request.overlay[name] = text;
    }
    // Clang may know a changed header by a name with links in it.
    auto known = [&](const frontend::FileRange& range) {
      if (!range.valid()) return;
      auto changed = contents.find(canonicalPath(range.file));
      if (changed == contents.end() || changed->first == files[f].canonical) return;
      std::error_code ignored;
      request.overlay[fs::absolute(range.file, ignored).lexically_normal().string()] = changed->second;
    };
    for (const ImportedKernel& kernel : files[f].import.kernels) known(kernel.body);
    for (const frontend::ImportedLaunch& launch : files[f].import.launches) known(launch.call);
    for (const frontend::KernelDeclaration& one : files[f].import.declarations) known(one.range);
    const ImportResult& before = files[f].import;
    ImportResult after = frontend::importFile(request);
    sim::returnFreedMemory();
    KernelIndex oldIndex(before), newIndex(after);
    std::set<size_t> isActive(active.begin(), active.end());
    bool isSpecific = false, isWell = true;
    auto blame = [&](size_t i, const std::string& why) {
      isSpecific = isSpecific || i != noKernel;
      isWell = false;
      wrong.emplace(i, why);
    };
    for (size_t i : active) {
      const KernelView* view = viewOf(list[i], f);
      if (!view || !view->result || !after.parsed) continue;
      std::string why = list[i].form == PlanForm::Beside
                            ? comparePlan(list[i], *view, oldIndex, newIndex)
                            : compare(list[i], *view, *view->result, oldIndex, newIndex);
      if (!why.empty()) blame(i, why);
    }
    if (isSpecific) continue;
    if (!after.parsed)
      blame(noKernel, after.failure);
    else if (errorCount(after) > errorCount(before))
      blame(noKernel, newError(before, after));
    // What was not touched must have stayed what it was.
    for (size_t i = 0; i < list.size() && after.parsed; ++i) {
      const KernelView* view = viewOf(list[i], f);
      if (!view || !view->original || list[i].isTemplate) continue;
      if (isActive.contains(i)) continue;
      std::string why = compare(list[i], *view, *view->original, oldIndex, newIndex);
      if (!why.empty()) blame(noKernel, fmt::format("kernel `{}` changed: {}", list[i].name, why));
    }
    if (isWell) readBackWell[f] = parts;
  }
  return wrong;
}

void RewriteProgram::checkReadsBack() {
  auto giveUp = [&](size_t i, const std::string& why) {
    // What the original may name as a friend, or by a call of a member, a kernel beside it may not.
    if (why.find("is a private member of") != std::string::npos ||
        why.find("is a protected member of") != std::string::npos)
      return leave(fmt::format("its new text would name what only friends and members may ({})", why),
                   list[i], list[i].loc);
    leave(
        fmt::format("internal: emitted text does not read back as the same kernel ({}); please report", why),
        list[i], list[i].loc);
  };
  // Once more without the names of the source, where the text changed from what it was.
  auto retry = [&](size_t i) {
    KernelOutcome& outcome = list[i];
    const KernelView& view = outcome.views.front();
    if (outcome.withoutNames || !view.plan || view.plan->steps.empty() || !options.make) return false;
    outcome.withoutNames = true;
    outcome.launches.clear();
    outcome.templateEdit.reset();
    placePlan(outcome, *view.imported, view.plan);
    return outcome.edit.has_value();
  };
  auto activeOnes = [&] {
    std::vector<size_t> active;
    for (size_t i = 0; i < list.size(); ++i)
      if (list[i].edit) active.push_back(i);
    return active;
  };
  for (;;) {
    std::vector<size_t> active = activeOnes();
    if (active.empty()) return;
    std::map<size_t, std::string> wrong = readBack(active);
    if (wrong.empty()) return;
    size_t before = active.size();
    bool triedAgain = false;
    for (const auto& [i, why] : wrong)
      if (i != noKernel && !retry(i))
        giveUp(i, why);
      else
        triedAgain = triedAgain || i != noKernel;
    if (triedAgain || activeOnes().size() < before) continue;
    // Nobody can be named: try each alone, and when all are fine alone, give up on all.
    std::string general = wrong.at(noKernel);
    for (size_t i : active) {
      std::map<size_t, std::string> alone = readBack({i});
      if (!alone.empty()) giveUp(i, alone.begin()->second);
    }
    if (activeOnes().size() < before) continue;
    for (size_t i : active) giveUp(i, general);
  }
}

}  // namespace hone::cli
