// Random CUDA kernels as people write them before they think of the hardware, each with launches to try it
// at. They are free of races and of bad accesses, so that every difference and every finding afterwards is a
// pass's.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hone::test {

struct NaiveKernel {
  std::string name;    // "naive17"
  std::string source;  // with the functions and types that it needs
  std::array<unsigned, 3> block{1, 1, 1};
  std::string grid;                                   // expressions of the sizes, separated by commas
  std::vector<std::map<std::string, int64_t>> sizes;  // one launch each
  std::set<std::string> temporaries;                  // arrays that nobody reads after the launch
  bool isOpenCl = false;
  bool isRestricted = false;                               // pointers are __restrict__
  bool isElementwise = false;                              // an input may be an output without a race
  std::vector<std::pair<std::string, std::string>> likes;  // inputs with outputs of the same type
  std::vector<std::pair<std::string, std::string>> twins;  // outputs that may be one array without a race
};

// From this seed on threads of all kernels take a flat id apart.
inline constexpr unsigned firstFlatSeed = 500'000'000;
// From this one on those of all kernels put values together by hand.
inline constexpr unsigned firstTreeSeed = 600'000'000;
// From this one on they walk a row each.
inline constexpr unsigned firstRowSeed = 700'000'000;
// From this one on they work on elements far apart, by strides of the grid or of the block.
inline constexpr unsigned firstStrideSeed = 800'000'000;
// From this one on they do iterations one after the other that could be threads of their own.
inline constexpr unsigned firstIterationSeed = 900'000'000;
// From this one on a mask leaves out a part of what they sum up.
inline constexpr unsigned firstMaskSeed = 1'000'000'000;
// And from this one on their shared memory holds copies of global memory.
inline constexpr unsigned firstCacheSeed = 1'100'000'000;

NaiveKernel naiveKernel(unsigned seed);

}  // namespace hone::test
