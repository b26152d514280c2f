#include "cli/rewrite/LaunchCall.h"

#include <array>

#include "cli/rewrite/CodeWords.h"

namespace hone::cli {

namespace {

constexpr std::array<const char*, 4> kPartNames = {"grid", "block", "shared", "stream"};
constexpr std::array<const char*, 4> kPartTypes = {"dim3", "dim3", "size_t", "cudaStream_t"};
constexpr size_t kColumns = 110;

std::string listOf(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

// `head`: function, parenthesis and configuration; `comma`: before the arguments.
std::string callIn(const LaunchCallSite& site, const frontend::ImportedLaunch& launch, std::string head,
                   const std::string& comma = ", ") {
  if (launch.hasArguments)
    head += comma + launch.arguments;
  else if (launch.arguments.find_first_not_of(" \t\r\n") != std::string::npos)
    head += " " + launch.arguments;  // a comment
  if (!site.more.empty()) head += ", " + listOf(site.more);
  return head + ")";
}

}  // namespace

std::string launchCall(const frontend::ImportedLaunch& launch, const LaunchCallSite& site) {
  const ir::Launch& from = launch.launch;
  const std::array<std::string, 4> written = {from.grid, from.block, from.shared, from.stream};
  std::string comments;
  for (char c : launch.comments) comments += c == '\n' ? site.newline + site.indent : std::string(1, c);
  std::vector<std::string> parts;
  for (const std::string& part : written) parts.push_back(part.empty() ? "0" : part);
  if (!launch.orderMatters && !launch.beforeComma.empty())
    return callIn(site, launch, site.function + launch.beforeComma,
                  launch.behindComma.empty() ? ", " : "," + launch.behindComma);
  if (!launch.orderMatters) return comments + callIn(site, launch, site.function + "(" + listOf(parts));

  std::set<std::string> words = codeWords(site.function + " " + launch.arguments);
  for (const std::string& part : written) words.merge(codeWords(part));
  std::vector<std::string> params, values;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (launch.isFixed[i]) continue;
    std::string name = kPartNames[i];
    for (int n = 2; words.contains(name) || site.taken.contains(name); ++n)
      name = std::string(kPartNames[i]) + "_" + std::to_string(n);
    params.push_back(std::string(kPartTypes[i]) + " " + name);
    values.push_back(parts[i]);
    parts[i] = name;
  }
  const std::string head = comments + "[&](" + listOf(params) + ") {",
                    call = callIn(site, launch, site.function + "(" + listOf(parts)) + ";",
                    tail = "}(" + listOf(values) + ")";
  const bool isShort = site.indent.size() + head.size() + call.size() + tail.size() + 3 <= kColumns;
  if (isShort && (head + call + tail).find('\n') == std::string::npos) return head + " " + call + " " + tail;
  return head + site.newline + site.indent + site.step + call + site.newline + site.indent + tail;
}

}  // namespace hone::cli
