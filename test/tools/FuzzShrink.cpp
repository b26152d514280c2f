#include <sstream>

#include "FuzzSubject.h"

namespace hone::test {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

// The line that closes what a line opens, by indentation.
size_t closingLine(const std::vector<std::string>& lines, size_t at) {
  const size_t indent = lines[at].find_first_not_of(' ');
  for (size_t i = at + 1; i < lines.size(); ++i)
    if (lines[i].find_first_not_of(' ') == indent && lines[i][indent] == '}' && !lines[i].ends_with('{'))
      return i;
  return at;
}

class Shrinking {
 public:
  Shrinking(FuzzSubject& forSubject, std::vector<passes::PassCall>& passCalls, FuzzVerdict& ofBoth)
      : subject(forSubject), calls(passCalls), verdict(ofBoth) {}

  void run() {
    if (!verdict.sizes.empty()) subject.naive.sizes = {verdict.sizes};
    for (bool again = true; again;) {
      again = dropPasses();
      again |= dropArguments();
      again |= dropLines();
      again |= reduceSizes();
    }
  }

 private:
  bool fails(const FuzzSubject& candidate, const std::vector<passes::PassCall>& with) {
    const FuzzVerdict now = judgeAnew(candidate, with);
    if (!now.isWrong()) return false;
    subject = candidate;
    calls = with;
    verdict = now;
    return true;
  }

  bool dropPasses() {
    bool any = false;
    for (size_t i = 0; i < calls.size();) {
      std::vector<passes::PassCall> fewer = calls;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (fails(subject, fewer))
        any = true;
      else
        ++i;
    }
    return any;
  }

  bool dropArguments() {
    bool any = false;
    for (size_t c = 0; c < calls.size(); ++c)
      for (size_t i = 0; i < calls[c].arguments.size();) {
        std::vector<passes::PassCall> fewer = calls;
        fewer[c].arguments.erase(fewer[c].arguments.begin() + static_cast<std::ptrdiff_t>(i));
        if (fails(subject, fewer))
          any = true;
        else
          ++i;
      }
    return any;
  }

  bool dropLines() {
    bool any = false;
    for (size_t i = 1; i < linesOf(subject.naive.source).size();) {
      const std::vector<std::string> lines = linesOf(subject.naive.source);
      const auto without = [&](size_t from, size_t to, bool onlyEnds) {
        FuzzSubject candidate = subject;
        std::vector<std::string> kept;
        for (size_t l = 0; l < lines.size(); ++l)
          if (l < from || l > to || (onlyEnds && l != from && l != to)) kept.push_back(lines[l]);
        candidate.naive.source = joined(kept);
        return fails(candidate, calls);
      };
      const bool opens = lines[i].ends_with('{') && lines[i].starts_with(' ');
      const size_t end = opens ? closingLine(lines, i) : i;
      if (without(i, end, false) || (opens && end != i && without(i, end, true)))
        any = true;
      else
        ++i;
    }
    return any;
  }

  bool reduceSizes() {
    bool any = false;
    for (const auto& [name, value] : std::map<std::string, int64_t>(subject.naive.sizes.front()))
      for (const int64_t less : {0, 1, 2, 3, 5, 8, 16, 17, 32, 33}) {
        if (less >= value) break;
        FuzzSubject candidate = subject;
        candidate.naive.sizes.front()[name] = less;
        if (fails(candidate, calls)) {
          any = true;
          break;
        }
      }
    return any;
  }

  FuzzSubject& subject;
  std::vector<passes::PassCall>& calls;
  FuzzVerdict& verdict;
};

}  // namespace

void shrink(FuzzSubject& subject, std::vector<passes::PassCall>& calls, FuzzVerdict& verdict) {
  Shrinking(subject, calls, verdict).run();
}

}  // namespace hone::test
