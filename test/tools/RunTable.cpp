#include "RunTable.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "device/SizeExpr.h"
#include "ir/Error.h"

namespace hone::test {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) out.push_back(part);
  return out;
}

void readWord(RunLine& line, const std::string& word) {
  const size_t equals = word.find('='), bracket = word.find('['), local = word.find('@');
  if (bracket != std::string::npos && bracket < equals) {
    const size_t end = word.rfind(']');
    if (end == std::string::npos) throw Error("no ] in '" + word + "'");
    RunLine::Array array{word.substr(bracket + 1, end - bracket - 1), ""};
    if (end + 1 < word.size()) array.fill = word.substr(end + 2);
    std::string name = word.substr(0, bracket);
    if (name.ends_with("->"))
      line.pointees[name.substr(0, name.size() - 2)] = array;
    else
      line.arrays[name] = array;
  } else if (const size_t texture = word.find('%'); texture != std::string::npos && texture < equals) {
    line.textures[word.substr(0, texture)] = word.substr(texture + 1);
  } else if (local != std::string::npos) {
    line.locals[word.substr(0, local)] = word.substr(local + 1);
  } else if (equals == std::string::npos) {
    throw Error("cannot read '" + word + "'");
  } else {
    const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
    if (name == "block")
      line.block = value;
    else if (name == "grid")
      line.grid = value;
    else if (name == "offset")
      line.offset = value;
    else if (name == "shared")
      line.shared = value;
    else if (name == "ulps")
      line.ulps = std::stod(value);
    else if (name == "ulps-of-greatest") {
      line.ulps = std::stod(value);
      line.ofGreatest = true;
    } else if (name == "nopocl")
      line.noPocl = value;
    else if (value.find('|') != std::string::npos)
      line.sizes[name] = split(value, '|');
    else
      line.values[name] = value;
  }
}

}  // namespace

int64_t evaluate(const std::string& text, const Numbers& numbers) {
  device::Names names;
  names.value = [&](const std::string& name) -> std::optional<device::Number> {
    auto found = numbers.find(name);
    if (found == numbers.end()) return std::nullopt;
    return device::wholeNumber(found->second);
  };
  const device::Evaluated out = device::evaluate(text, names);
  if (!out.value) throw Error("'" + text + "': " + out.problem);
  return out.value->asWhole();
}

size_t RunLine::runs() const {
  size_t out = 1;
  for (const auto& [name, texts] : sizes) out = std::max(out, texts.size());
  return out;
}

Numbers RunLine::numbersOf(size_t run) const {
  Numbers out;
  for (const auto& [name, texts] : sizes) out[name] = evaluate(texts[std::min(run, texts.size() - 1)], {});
  return out;
}

std::array<uint64_t, 3> RunLine::extents(const std::string& text, const Numbers& numbers,
                                         uint64_t missing) const {
  std::array<uint64_t, 3> out{missing, missing, missing};
  const std::vector<std::string> parts = split(text, ',');
  for (size_t i = 0; i < parts.size() && i < 3; ++i)
    out[i] = static_cast<uint64_t>(evaluate(parts[i], numbers));
  return out;
}

std::vector<RunLine> readRunTable(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error("cannot read " + path);
  std::vector<RunLine> out;
  unsigned number = 0;
  for (std::string text; std::getline(file, text);) {
    ++number;
    std::istringstream words(text);
    std::string first;
    if (!(words >> first) || first[0] == '#') continue;
    if (first == "+") {  // the line before goes on
      if (out.empty()) throw Error(path + ": nothing to go on with");
    } else {
      out.push_back({});
      out.back().line = number;
      out.back().file = first;
      words >> out.back().kernel;
    }
    try {
      for (std::string word; words >> word;) readWord(out.back(), word);
    } catch (const Error& error) {
      throw Error(path + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  return out;
}

}  // namespace hone::test
