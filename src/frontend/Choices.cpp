// Which text this build takes of conditionals, and whether a test at another place would take the same.
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/Directives.h"

namespace hone::frontend {

using namespace clang;

bool Directives::isEnteredAgain(SourceLocation at) const {
  const SourceManager& sources = source.sources();
  const FileEntry* file = sources.getFileEntryForID(sources.getDecomposedExpansionLoc(at).first);
  unsigned times = 0;
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(i);
    const auto of = entry.isFile() ? entry.getFile().getContentCache().OrigEntry : OptionalFileEntryRef();
    if (of && &of->getFileEntry() == file) ++times;
  }
  return times > 1;
}

bool Directives::isLeftOut(const FileEntry* file, unsigned begin, unsigned end) const {
  const PreprocessorRecord& record = source.record();
  FileManager& manager = source.sources().getFileManager();
  for (const ByteRange& skipped : record.skipped) {
    if (skipped.begin >= begin || skipped.end <= end) continue;
    const auto entry = manager.getOptionalFileRef(record.files[skipped.file]);
    if (entry && &entry->getFileEntry() == file) return true;
  }
  return false;
}

std::vector<Choice> Directives::choicesBetween(SourceLocation begin, SourceLocation end) const {
  const SourceManager& sources = source.sources();
  auto [id, from] = sources.getDecomposedExpansionLoc(begin);
  auto [endId, to] = sources.getDecomposedExpansionLoc(end);
  const FileEntry* file = sources.getFileEntryForID(id);
  auto known = files.find(file);
  if (id != endId || known == files.end()) return {};
  std::map<unsigned, const Branch*> taken;  // by the place of the #if
  for (const Branch& branch : known->second.branches) {
    if (branch.opener < from || branch.opener >= to || isLeftOut(file, branch.opener, branch.opener))
      continue;
    const Branch*& one = taken[branch.opener];
    if (branch.isEmpty ? !one : !isLeftOut(file, branch.begin, branch.end)) one = &branch;
  }
  std::vector<Choice> choices;
  choices.reserve(taken.size());
  for (const auto& [opener, branch] : taken)
    choices.push_back({sources.getComposedLoc(id, opener),
                       branch ? branch->conditions : std::set<std::string>(), branch != nullptr});
  return choices;
}

std::vector<Choice> Directives::choicesAround(SourceLocation at) const {
  const SourceManager& sources = source.sources();
  auto [id, offset] = sources.getDecomposedExpansionLoc(at);
  auto known = files.find(sources.getFileEntryForID(id));
  if (known == files.end()) return {};
  std::vector<Choice> choices;
  for (const Branch& branch : known->second.branches)
    if (branch.begin <= offset && offset < branch.end)
      choices.push_back({sources.getComposedLoc(id, branch.opener), branch.conditions});
  if (!known->second.around.empty()) choices.push_back({sources.getIncludeLoc(id), known->second.around});
  return choices;
}

bool Directives::isChosenOnce(const std::string& macro) const {
  const auto known = definitions.find(macro);
  if (known == definitions.end() || undefinitions.contains(macro)) return false;
  std::set<std::pair<const FileEntry*, std::vector<unsigned>>> places;  // the conditionals around each
  std::set<unsigned> branches;
  for (const Definition& one : known->second) {
    const auto file = files.find(one.file);
    if (file == files.end()) return false;
    std::map<unsigned, unsigned> around;  // where branches begin, by their conditionals
    for (const Branch& branch : file->second.branches)
      if (branch.begin <= one.offset && one.offset < branch.end) around[branch.opener] = branch.begin;
    std::vector<unsigned> openers;
    openers.reserve(around.size());
    for (const auto& [opener, begin] : around) openers.push_back(opener);
    places.emplace(one.file, openers);
    if (openers.empty() || !branches.insert(around.rbegin()->second).second) return false;
  }
  return places.size() == 1;
}

std::set<std::string> Directives::macrosBehind(const std::set<std::string>& words) const {
  std::set<std::string> found;
  std::vector<std::string> open(words.begin(), words.end());
  while (!open.empty()) {
    const std::string word = open.back();
    open.pop_back();
    if (!found.insert(word).second) continue;
    if (auto known = definitions.find(word); known != definitions.end())
      for (const Definition& one : known->second) open.insert(open.end(), one.words.begin(), one.words.end());
  }
  return found;
}

std::optional<std::string> Directives::changedBetween(const std::set<std::string>& words, SourceLocation from,
                                                      SourceLocation to) const {
  const SourceManager& sources = source.sources();
  auto isBetween = [&](const FileEntry* file, unsigned offset) {
    const FileID id = source.fileId(*file);
    if (id.isInvalid()) return false;
    const SourceLocation at = sources.getComposedLoc(id, offset);
    // A file that is entered twice is at several places.
    return isEnteredAgain(at) ||
           (!sources.isBeforeInTranslationUnit(at, from) && sources.isBeforeInTranslationUnit(at, to));
  };
  for (const std::string& word : macrosBehind(words)) {
    if (auto known = definitions.find(word); known != definitions.end())
      for (const Definition& one : known->second)
        if (isBetween(one.file, one.offset)) return word;
    if (auto known = undefinitions.find(word); known != undefinitions.end())
      for (const auto& [file, offset] : known->second)
        if (isBetween(file, offset)) return word;
  }
  return std::nullopt;
}

}  // namespace hone::frontend
