// What the round-trip tests ask about kernels in IR, one tab-separated line per kernel on standard output:
//   inspect_ir list FILE [-- FLAG...]             imported NAME | refused NAME FILE:LINE REASON | malformed NAME RULE
//   inspect_ir compare A B [-- FLAG...]           same NAME | different NAME WHY | missing NAME WHY
// Exit status 0 when the question could be answered, 2 when a file cannot be parsed.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "frontend/Import.h"
#include "ir/Compare.h"
#include "ir/Verify.h"

namespace {

using namespace hone;

std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  return text;
}

void say(const std::string& verdict, const std::string& name, const std::vector<std::string>& rest = {}) {
  std::printf("%s\t%s", verdict.c_str(), name.c_str());
  for (const std::string& field : rest) std::printf("\t%s", oneLine(field).c_str());
  std::printf("\n");
}

std::string nameOf(const frontend::ImportedKernel& k) {
  std::string name = k.qualifiedName.empty() ? k.name : k.qualifiedName;
  if (k.templateArgs.empty()) return name;
  name += '<';
  for (size_t i = 0; i < k.templateArgs.size(); ++i) name += (i ? ", " : "") + k.templateArgs[i];
  return name + '>';
}

frontend::ImportResult import(const std::string& path, const std::vector<std::string>& flags) {
  frontend::SourceRequest request;
  request.path = path;
  request.flags = flags;
  frontend::ImportResult result = frontend::importFile(request);
  if (!result.parsed) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), result.failure.c_str());
    std::exit(2);
  }
  return result;
}

int list(const std::string& path, const std::vector<std::string>& flags) {
  const frontend::ImportResult result = import(path, flags);
  std::fputs(result.renderedDiagnostics.c_str(), stderr);
  for (const auto& k : result.kernels) {
    if (k.isUninstantiated) continue;
    if (!k.kernel) {
      say("refused", nameOf(k), {k.reasonLoc.str(), k.reason});
      continue;
    }
    say("imported", nameOf(k));
    for (const std::string& rule : ir::verify(*k.kernel)) say("malformed", nameOf(k), {rule});
  }
  return 0;
}

int compare(const std::string& before, const std::string& after, const std::vector<std::string>& flags) {
  const frontend::ImportResult a = import(before, flags), b = import(after, flags);
  std::map<std::string, const frontend::ImportedKernel*> found;
  for (const auto& k : b.kernels)
    if (!k.isUninstantiated) found[nameOf(k)] = &k;
  for (const auto& k : a.kernels) {
    if (!k.kernel) continue;
    const auto other = found.find(nameOf(k));
    std::string why;
    if (other == found.end())
      say("missing", nameOf(k), {"not in " + after});
    else if (!other->second->kernel)
      say("missing", nameOf(k), {other->second->reasonLoc.str() + ": " + other->second->reason});
    else if (!ir::equal(*k.kernel, *other->second->kernel, &why))
      say("different", nameOf(k), {why});
    else
      say("same", nameOf(k));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words, flags;
  bool afterDashes = false;
  for (int i = 1; i < argc; ++i) {
    if (!afterDashes && !std::strcmp(argv[i], "--"))
      afterDashes = true;
    else
      (afterDashes ? flags : words).push_back(argv[i]);
  }
  if (words.size() == 2 && words[0] == "list") return list(words[1], flags);
  if (words.size() == 3 && words[0] == "compare") return compare(words[1], words[2], flags);
  std::fprintf(stderr, "usage: inspect_ir list|compare FILE... [-- FLAG...]\n");
  return 2;
}
