// A command line in nvcc's manner, taken apart: which words are options, which of these have a value and
// where it stands, and what is left as input files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hone::cli {

struct NvccOption {
  // How an option has its value: not at all; as the next word or behind `=`; the same, or directly behind a
  // one-letter name (-Ifolder).
  enum class Value : uint8_t { None, Word, Joined };
  std::string_view shortName, longName;
  Value value;
};

// All that `nvcc --help` of CUDA 13 lists, and what older ones had.
std::span<const NvccOption> nvccOptions();

struct NvccWord {
  enum class Kind : uint8_t { Input, Option, Unknown };
  Kind kind = Kind::Input;
  // Of an option its short name ("-I" for --include-path=DIR, -IDIR, -I DIR); of others the word itself.
  std::string name;
  std::string value;
  size_t first = 0, count = 1;  // the words of the command line that it was made of
};

// Reads the words; those of response files (--options-file) take the place of these, so that `first` counts
// in `words` as they are afterwards. Throws hone::Error for an option without its value and for a response
// file that cannot be read.
std::vector<NvccWord> readNvccWords(std::vector<std::string>& words);

// The parts of a value that is a list: a comma behind a backslash or in double quotes is no end.
std::vector<std::string> partsOfList(const std::string& value);

}  // namespace hone::cli
