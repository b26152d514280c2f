#include "report/Annotations.h"

#include <fmt/core.h>

namespace hone::report {

namespace {

// Workflow commands have a line each; in properties, `:` and `,` separate.
std::string inCommand(const std::string& text, bool isProperty) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (isProperty && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string githubAnnotations(const std::vector<CodeFinding>& findings, const std::string& root) {
  std::string out;
  for (const CodeFinding& one : findings) {
    const char* command = one.level == FindingLevel::Error     ? "error"
                          : one.level == FindingLevel::Warning ? "warning"
                                                               : "notice";
    std::string place;
    if (!one.file.empty())
      place = fmt::format("file={},line={},", inCommand(seenFrom(root, one.file), true), one.line);
    out += fmt::format("::{} {}title={}::{}\n", command, place, inCommand("hone: " + one.rule, true),
                       inCommand(one.message, false));
  }
  return out;
}

}  // namespace hone::report
