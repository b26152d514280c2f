#include <fmt/core.h>

#include <filesystem>
#include <vector>

#include "device/Settings.h"
#include "ir/Error.h"
#include "ir/Nearest.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace hone::device {

namespace {

class TomlReader {
 public:
  explicit TomlReader(std::string fileName) : file(std::move(fileName)) {}

  Settings read(const toml::table& table, bool isTop) const {
    Settings settings;
    for (const auto& [key, node] : table) {
      std::string name(key.str());
      if (name == "set")
        pairs(settings.set, node, name);
      else if (name == "length")
        pairs(settings.length, node, name);
      else if (name == "alias")
        pairs(settings.alias, node, name);
      else if (name == "input")
        pairs(settings.input, node, name);
      else if (name == "output")
        words(settings.output, node, name);
      else if (name == "unordered")
        words(settings.unordered, node, name);
      else if (name == "temporary")
        words(settings.temporary, node, name);
      else if (name == "grid")
        settings.grid = Given{extents(node, name), file};
      else if (name == "block")
        setBlock(settings, extents(node, name), file);
      else if (name == "shared")
        settings.shared = Given{text(node, name), file};
      else if (name == "seed")
        settings.seed = Given{text(node, name), file};
      else if (name == "keep")
        settings.keep =
            readSwitch(name, text(node, name), fmt::format("{}:{}", file, node.source().begin.line));
      else if (name == "reassociate")
        settings.reassociate =
            readSwitch(name, text(node, name), fmt::format("{}:{}", file, node.source().begin.line));
      else if (name != "kernel" || !isTop)
        fail(node, fmt::format("there is no key '{}'{}", name, didYouMean(name, settingWords())));
    }
    // Paths are those seen from the file that names them.
    for (auto& [name, given] : settings.input) {
      std::filesystem::path path(given.text);
      if (path.is_relative()) given.text = (std::filesystem::path(file).parent_path() / path).string();
    }
    return settings;
  }

  [[noreturn]] void fail(const toml::node& node, const std::string& message) const {
    throw Error(fmt::format("{}:{}: {}", file, node.source().begin.line, message));
  }

 private:
  std::string text(const toml::node& node, const std::string& key) const {
    if (auto s = node.value_exact<std::string>()) return *s;
    if (auto i = node.value_exact<int64_t>()) return fmt::format("{}", *i);
    if (auto d = node.value_exact<double>()) {
      std::string shown = fmt::format("{}", *d);
      return shown.find_first_of(".e") == std::string::npos ? shown + ".0" : shown;
    }
    if (auto b = node.value_exact<bool>()) return *b ? "1" : "0";
    fail(node, fmt::format("'{}' takes a number or a text", key));
  }
  std::string extents(const toml::node& node, const std::string& key) const {
    const toml::array* list = node.as_array();
    if (!list) return text(node, key);
    std::string out;
    for (const toml::node& one : *list) out += (out.empty() ? "" : ", ") + text(one, key);
    return out;
  }
  void pairs(std::map<std::string, Given>& table, const toml::node& node, const std::string& key) const {
    const toml::table* values = node.as_table();
    if (!values) fail(node, fmt::format("'{}' is a table: {} = {{ name = value }}", key, key));
    for (const auto& [name, value] : *values) table[std::string(name.str())] = {text(value, key), file};
  }
  void words(std::map<std::string, Given>& table, const toml::node& node, const std::string& key) const {
    const toml::array* list = node.as_array();
    if (!list) fail(node, fmt::format("'{}' is a list of names", key));
    for (const toml::node& one : *list) table[text(one, key)] = {"", file};
  }

  std::string file;
};

}  // namespace

Settings tomlFor(const std::string& sourceFile, const std::string& kernel) {
  std::string file = sourceFile + ".hone.toml";
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return {};
  toml::parse_result parsed = toml::parse_file(file);
  if (!parsed)
    throw Error(
        fmt::format("{}:{}: {}", file, parsed.error().source().begin.line, parsed.error().description()));
  const toml::table& top = parsed.table();
  TomlReader reader(file);
  Settings general = reader.read(top, true), own;
  if (const toml::node* kernels = top.get("kernel")) {
    const toml::table* tables = kernels->as_table();
    if (!tables) reader.fail(*kernels, "'kernel' is a table of tables: [kernel.NAME]");
    for (const auto& [name, node] : *tables) {
      const toml::table* table = node.as_table();
      if (!table) reader.fail(node, "'kernel' is a table of tables: [kernel.NAME]");
      Settings one = reader.read(*table, false);
      if (name.str() == kernel) own = std::move(one);
    }
  }
  own.fillFrom(general);
  return own;
}

}  // namespace hone::device
