// How the kernels of the corpus are run: one line of a table per kernel. test/corpus/README.md describes the
// words of a line.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hone::test {

using Numbers = std::map<std::string, int64_t>;

// An expression in C's notation. Throws hone::Error for what it does not understand.
int64_t evaluate(const std::string& text, const Numbers& numbers);

struct RunLine {
  unsigned line = 0;  // of the table
  std::string file, kernel;
  std::string block = "32", grid = "1", offset, shared = "0";
  std::string noPocl;       // why PoCL cannot say anything about it
  double ulps = 0;          // how far floats may be from PoCL's
  bool ofGreatest = false;  // in units of the array's greatest number, not of each number
  std::map<std::string, std::vector<std::string>> sizes;  // names with one value per run
  struct Array {
    std::string length, fill;
  };
  std::map<std::string, Array> arrays;  // by parameter
  std::map<std::string, Array>
      pointees;  // what each pointer in the elements or the value of a parameter points to
  std::map<std::string, std::string> textures;  // extents of a float texture or surface
  std::map<std::string, std::string> values, locals;

  size_t runs() const;
  Numbers numbersOf(size_t run) const;
  std::array<uint64_t, 3> extents(const std::string& text, const Numbers& numbers, uint64_t missing) const;
};

// Throws hone::Error with the line.
std::vector<RunLine> readRunTable(const std::string& path);

}  // namespace hone::test
