// What a run of a kernel is told: sizes, grid, block, lengths, input files. From the command line, from
// `#pragma hone` before the kernel, from FILE.hone.toml beside the file; the first that says something
// counts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::capture {
struct CaptureFile;
}

namespace hone::device {

struct Given {
  std::string text;  // an expression, a file name, …
  std::string from;  // for messages: "--set n", "k.cu:12: #pragma hone", "k.cu.hone.toml"
};

struct Switch {
  bool isOn = false;
  std::string from;
};

struct Settings {
  std::map<std::string, Given> set;        // scalar parameter, or field p.n of one: expression
  std::optional<Given> grid, block;        // "4x4", "(n + 15) / 16, 8"
  std::optional<Given> shared;             // bytes of dynamic shared memory
  std::map<std::string, Given> length;     // array: elements
  std::map<std::string, Given> alias;      // array: "b+16", element 16 of array b
  std::map<std::string, Given> input;      // array: file
  std::map<std::string, Given> save;       // array: file
  std::map<std::string, Given> unordered;  // outputs whose elements may come in any order
  std::map<std::string, Given> temporary;  // arrays that nobody reads after the launch
  std::map<std::string, Given> output;     // arrays without a value before the launch
  std::optional<Given> seed;
  // What the choosing of recipes may do.
  std::optional<Switch> reassociate;  // change the order of floating-point sums
  std::optional<Switch> blockFree;    // give the kernel blocks of another shape than the host's
  std::optional<Switch> keep;         // nothing: the kernel stays as it is
  // What the program launched: in place of what its text tells of that.
  std::shared_ptr<const capture::CaptureFile> capture;
  // Where several were given: all of them; `capture` is then the one that knows the kernel at hand.
  std::vector<std::shared_ptr<const capture::CaptureFile>> captures;

  // Takes what `lower` says and this does not.
  void fillFrom(const Settings& lower);
};

// Puts "NAME=VALUE" into a table of settings; `option` is named in the message of the hone::Error for what is
// not of that form.
void addPair(std::map<std::string, Given>& table, const std::string& pair, const std::string& option);

// The extents of "4x4", "16,16" or "dim3(a, b)" as expressions, one to three; throws hone::Error.
std::vector<std::string> splitExtents(const Given& given);

// The words that a pragma and a TOML file may use, for messages.
const std::vector<std::string>& settingWords();

// What stands in block(...): extents, `free`, or `free` and extents.
void setBlock(Settings& settings, const std::string& text, const std::string& from);

// yes, no, true, false, 1, 0, or nothing at all, which is yes; throws hone::Error.
Switch readSwitch(const std::string& word, const std::string& text, const std::string& from);

// `set(n=1000) grid(4) block(64) length(a=n) keep`: what stands after `#pragma hone`. Throws hone::Error that
// begins with `place`. `kernel` takes the name in kernel(NAME), when there is one.
Settings parsePragma(std::string_view text, const std::string& place, std::string& kernel);

// Settings from the pragmas of a file for a kernel: those after the line of the kernel before it and before
// its own line, and those that name it with kernel(NAME).
Settings pragmasFor(std::string_view source, const std::string& file, const std::string& kernel,
                    unsigned kernelLine, unsigned lineBefore);

// FILE.hone.toml: keys as in Settings, for every kernel; tables kernel.NAME for one. Nothing when there is no
// such file.
Settings tomlFor(const std::string& sourceFile, const std::string& kernel);

}  // namespace hone::device
