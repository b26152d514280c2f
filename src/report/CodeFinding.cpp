#include "report/CodeFinding.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <tuple>

namespace hone::report {

namespace {

// Every kind of finding that `hone check` can have, and gains.
constexpr FindingRule ofRuns[] = {
    {"race", "Two threads touch the same bytes, one of them writes, and nothing orders them.",
     "Put a barrier (__syncthreads, barrier) between the two accesses, let each thread have elements of its "
     "own, or make the accesses atomic."},
    {"out-of-bounds", "An access leaves its array.",
     "Compare the subscript with the length before the access; hone check --length gives the lengths that "
     "the "
     "program has."},
    {"misaligned", "An access is not at a multiple of its size.",
     "Align the pointer, or access the elements one by one."},
    {"null-pointer", "An access through a null pointer.", "Hand over an array, or test the pointer first."},
    {"wild-pointer", "An access that hits no array.", "See what the pointer is computed from."},
    {"write-to-constant", "A write to memory that is constant.", "Write to an array that may be changed."},
    {"uninitialized", "A read of memory or of a variable that nothing wrote.",
     "Give it a value before it is read, on every path."},
    {"unset-output", "An element of an output has no value after the launch.",
     "Let some thread write each element of the output."},
    {"missing-warp-sync", "Lanes of a warp exchange data through memory without __syncwarp().",
     "Put __syncwarp() between the write and the read."},
    {"divergent-barrier", "A barrier that not all threads of the block reach.",
     "Move the barrier out of the condition, or make the condition the same for the whole block."},
    {"deadlock", "Threads wait for ever.",
     "See that every thread comes to the barriers that others wait at."},
    {"step-limit", "No end in sight.",
     "See whether the loop ends; hone check --max-steps lets it run longer."},
    {"divide-by-zero", "Integers are divided by zero.", "Test the divisor first."},
    {"shared-too-large", "More shared memory than the target has for a block.", "Use less, or ask for it."},
    {"block-too-large", "More threads in a block than the target allows.", "Launch smaller blocks."},
    {"bad-call", "A call that leads to no function of the device.",
     "Take addresses of functions and make objects with virtual functions in device code."},
    {"stack-overflow", "Calls nested deeper than the stack of a thread holds.",
     "See whether the recursion ends, or give the function a loop and a stack of its own."},
    {"invalid-exchange", "A value taken from a lane that does not take part.",
     "Let the mask name every lane that is read from."},
    {"assert-failed", "An assertion of the kernel does not hold.", "See what it asserts."},
    {"trap", "The kernel ends itself.", "See what leads there."},
    {"host-access", "The host touches memory that is the device's.", "Copy it, and wait for the device."},
    {"leak", "Memory of the device that was never freed.", "Free it."},
    {"missed-gain", "hone would make this kernel faster.",
     "`hone opt FILE --diff` shows the change and `hone opt FILE --in-place` makes it. `#pragma hone keep` "
     "before the kernel, `leave` in hone.toml and a baseline say that it is to stay as it is."},
};

// What a name has before its template arguments.
std::string baseName(const std::string& kernel) { return kernel.substr(0, kernel.find('<')); }

std::string withoutBlanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  return text;
}

std::vector<std::string> splitText(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// FNV-1a of 64 bits.
std::string hashOf(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace

const char* str(FindingLevel level) {
  switch (level) {
    case FindingLevel::Error: return "error";
    case FindingLevel::Warning: return "warning";
    case FindingLevel::Note: break;
  }
  return "note";
}

std::span<const FindingRule> checkRules() { return ofRuns; }

std::vector<CodeFinding> inOrder(std::vector<CodeFinding> findings) {
  const auto place = [](const CodeFinding& f) {
    return std::tuple(f.file, f.line, f.rule, baseName(f.kernel), f.subject);
  };
  std::sort(findings.begin(), findings.end(), [&](const CodeFinding& a, const CodeFinding& b) {
    return std::tuple(place(a), a.kernel, a.message) < std::tuple(place(b), b.kernel, b.message);
  });
  std::vector<CodeFinding> out;
  for (size_t i = 0, next = 0; i < findings.size(); i = next) {
    size_t others = 0;
    for (next = i + 1; next < findings.size() && place(findings[next]) == place(findings[i]); ++next)
      others += findings[next].kernel != findings[next - 1].kernel;
    out.push_back(findings[i]);
    if (others > 0)
      out.back().message +=
          fmt::format(" (and in {} other instantiation{} of it)", others, others == 1 ? "" : "s");
  }
  return out;
}

std::string seenFrom(const std::string& root, const std::string& file) {
  const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(root);
  return relative.empty() ? file : relative.generic_string();
}

void setFingerprints(std::vector<CodeFinding>& findings, const std::string& root,
                     const std::function<std::string(const std::string&)>& textOf) {
  std::map<std::string, std::vector<std::string>> texts;
  std::map<std::string, unsigned> alike;
  for (CodeFinding& finding : findings) {
    std::string line;
    if (!finding.file.empty()) {
      auto [at, isNew] = texts.try_emplace(finding.file);
      if (isNew) at->second = splitText(textOf(finding.file));
      if (finding.line > 0 && finding.line <= at->second.size())
        line = withoutBlanks(at->second[finding.line - 1]);
    }
    std::string key = seenFrom(root, finding.file);
    for (const std::string& part : {baseName(finding.kernel), finding.rule, finding.subject, line})
      key += '\0' + part;
    finding.fingerprint = hashOf(fmt::format("{}{}", key, alike[key]++));
  }
}

}  // namespace hone::report
