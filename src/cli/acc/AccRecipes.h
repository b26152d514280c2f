// Kernels of a source made faster by recipes, kept between builds.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hone::cli {

struct AccSource;

// What became of a device file.
struct RewrittenDevice {
  std::string text;  // empty: no kernel was rewritten
  std::string news;  // one line
};
using DeviceRewriter =
    std::function<RewrittenDevice(const std::string& file, const std::vector<std::string>& flags)>;

// An object with the launchers and rewritten kernels of a source, as the text with the naive ones has them;
// nothing: these are to be taken. `tag` is that of the host's text. Whatever goes wrong on the way is no
// reason to fail.
std::optional<std::string> objectByRecipes(const AccSource& source, const std::string& tag,
                                           const std::vector<std::string>& hostFlags,
                                           const DeviceRewriter& rewrite,
                                           const std::filesystem::path& scratch);

}  // namespace hone::cli
